#!/usr/bin/env python3
# Part of the causal profiler, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a line table agrees with llvm-symbolizer at every instruction.

TABLE is a linked file with a line table. DWARF is one with DWARF, which may be the
same file; its code must be the same and at the same addresses. Counts, over every
instruction of .text (llvm-objdump):

  both        the table and DWARF know the function
  lined       both know a line (it is not 0)
  same        ... and it is the same file and line: must be all of them
  same stack  ... and so are the files and lines of all inline frames

Exits with 1 if a lined instruction has another file or line, or if nothing was
compared.
"""
import argparse
import json
import os
import re
import subprocess
import sys


def run(command, text_in=None):
    return subprocess.run(command, input=text_in, check=True, capture_output=True, text=True).stdout


def instructions(tools, path):
    """The disassembly of .text: [(address, text)]."""
    out = run([os.path.join(tools, "llvm-objdump"), "-d", "--no-leading-headers", "-j", ".text", path])
    return [(int(address, 16), text)
            for address, text in re.findall(r"^ *([0-9a-f]+):(.*)", out, re.MULTILINE)]


def normal(path):
    return os.path.normpath(path) if path else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", default="", help="directory of LLVM's tools")
    parser.add_argument("--dump", required=True, help="linemap-dump")
    parser.add_argument("--show", type=int, default=5, help="show so many differences")
    parser.add_argument("table", metavar="TABLE")
    parser.add_argument("dwarf", metavar="DWARF")
    args = parser.parse_args()

    code = instructions(args.tools, args.table)
    if code != instructions(args.tools, args.dwarf):
        sys.exit("compare_lines: the two files have different code")
    addresses = "".join(f"0x{address:x}\n" for address, _ in code)
    table = run([args.dump, "--addresses", args.table], addresses.replace("0x", "")).splitlines()
    dwarf = run([os.path.join(args.tools, "llvm-symbolizer"), "--obj=" + args.dwarf,
                 "--inlines", "--output-style=JSON"], addresses).splitlines()
    assert len(table) == len(dwarf) == len(code)

    both = only_table = only_dwarf = lined = same = same_stack = 0
    for (address, _), table_line, dwarf_line in zip(code, table, dwarf):
        ours = [(normal(file), line) for _, file, line in json.loads(table_line)]
        frames = json.loads(dwarf_line)["Symbol"]
        theirs = [(normal(frame["FileName"]), frame["Line"])
                  for frame in frames
                  # Without a line of the function the file is a guess from .symtab.
                  if frame["Line"] or frame["StartLine"]]
        only_table += bool(ours and not theirs)
        only_dwarf += bool(theirs and not ours)
        if not ours or not theirs:
            continue
        both += 1
        # With line 0 the innermost frame may have neither.
        if not ours[0][1] or not frames[0]["Line"]:
            continue
        lined += 1
        same_stack += ours == theirs
        if ours[0] == theirs[0]:
            same += 1
        elif lined - same <= args.show:
            print(f"0x{address:x}: table {ours}, DWARF {theirs}")
    print(f"instructions {len(code)}, both {both}, only table {only_table}, "
          f"only DWARF {only_dwarf}, lined {lined}, same {same}, same stack {same_stack}")
    sys.exit(not lined or same != lined)


main()
