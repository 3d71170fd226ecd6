#!/usr/bin/env python3
"""prose.py [--since COMMIT] [FILE...]: words, mean sentence and longest paragraph of documents.

Code, tables and headings are left out. A sentence ends at a full stop, colon or semicolon.
With --since also the documents that COMMIT had. Without FILE: README.md and docs/.
"""
import argparse
import re
import subprocess


def measure(text):
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    text = "\n".join(l for l in text.splitlines() if not l.startswith(("|", "#", "    ")))
    parts = re.split(r"(?<=[.!?;:])\s+|\n\s*\n|\n[-*] ", text)
    sentences = [n for n in (len(part.split()) for part in parts) if n > 3]
    paragraphs = [len(part.split()) for part in re.split(r"\n\s*\n", text)]
    mean = sum(sentences) / len(sentences) if sentences else 0
    return len(text.split()), mean, max(paragraphs)


def git(*command):
    return subprocess.run(["git", *command], check=True, capture_output=True, text=True).stdout


def table(title, texts):
    print(f"\n| {title} | words | mean sentence | longest paragraph |\n| --- | --- | --- | --- |")
    for name, text in texts:
        words, mean, longest = measure(text)
        print(f"| {name} | {words} | {mean:.1f} | {longest} |")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("--since")
parser.add_argument("files", nargs="*")
arguments = parser.parse_args()
if arguments.since:
    names = git("ls-tree", "-r", "--name-only", arguments.since, "README.md", "docs").split()
    table(arguments.since, [(n, git("show", f"{arguments.since}:{n}")) for n in names if n.endswith(".md")])
names = arguments.files or [n for n in git("ls-files", "README.md", "docs").split() if n.endswith(".md")]
table("now", [(n, open(n, encoding="utf-8").read()) for n in names])
