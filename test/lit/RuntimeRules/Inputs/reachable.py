"""Prints the symbols that functions of an object can reach.

Usage: llvm-objdump -d -r FILE | reachable.py FUNCTION...

Goes by relocations, so calls through pointers are followed only where the pointer is
taken, and a function counts as reached where its address is. Needs one section a
function (-ffunction-sections).
"""
import collections
import re
import sys


def main():
    section = None
    section_of = {}  # symbol -> section
    references = collections.defaultdict(set)  # section -> symbols and sections
    for line in sys.stdin:
        if match := re.match(r"Disassembly of section (\S+):", line):
            section = match[1]
            section_of[section] = section
        elif match := re.match(r"[0-9a-f]+ <(.+)>:", line):
            section_of[match[1]] = section
        elif match := re.search(r"\sR_X86_64_\w+\s+([^\s+-]+)", line):
            references[section].add(match[1])
    for name in sys.argv[1:]:
        if name not in section_of:
            sys.exit(f"reachable.py: no function {name}")
    seen, queue = set(), collections.deque(sys.argv[1:])
    while queue:
        name = queue.popleft()
        if name in seen:
            continue
        seen.add(name)
        queue.extend(references[section_of[name]] if name in section_of else ())
    print("\n".join(sorted(seen)))


if __name__ == "__main__":
    main()
