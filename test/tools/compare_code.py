#!/usr/bin/env python3
# Part of the causal profiler, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether two object files have the same code.

Compares the executable sections of two ELF objects in their order: names, flags,
bytes and relocations. Anything else (line tables, DWARF) may differ. Prints what
differs and exits with 1, or says how much is the same. An object without code is an
error: nothing would have been compared.
"""
import argparse
import json
import subprocess
import sys


def executable_sections(readobj, path):
    """[(name, flags, bytes, relocations)] in the order of the file."""
    out = subprocess.run(
        [readobj, "--elf-output-style=JSON", "--sections", "--section-data",
         "--section-relocations", "--expand-relocs", path],
        check=True, capture_output=True, text=True).stdout
    sections = [entry["Section"] for entry in json.loads(out)[0]["Sections"]]
    relocations = {}  # by the index of the section that they apply to
    for section in sections:
        if section["Type"]["Name"] == "SHT_RELA":
            relocations[section["Info"]] = [
                (r["Relocation"]["Offset"], r["Relocation"]["Type"]["Name"],
                 r["Relocation"]["Symbol"]["Name"], r["Relocation"]["Addend"])
                for r in section["Relocations"]]
    return [(section["Name"]["Name"], section["Flags"]["Value"],
             section.get("SectionData", {}).get("Bytes", []),
             relocations.get(section["Index"], []))
            for section in sections
            if any(flag["Name"] == "SHF_EXECINSTR" for flag in section["Flags"]["Flags"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--readobj", default="llvm-readobj", help="llvm-readobj to use")
    parser.add_argument("a")
    parser.add_argument("b")
    args = parser.parse_args()

    a = executable_sections(args.readobj, args.a)
    b = executable_sections(args.readobj, args.b)
    size = sum(len(section[2]) for section in a)
    if not size:
        sys.exit(f"compare_code: {args.a} has no code")
    differences = []
    if [section[0] for section in a] != [section[0] for section in b]:
        differences.append("the lists of sections")
    else:
        for x, y in zip(a, b):
            for what, i in (("flags", 1), ("bytes", 2), ("relocations", 3)):
                if x[i] != y[i]:
                    differences.append(f"{what} of {x[0]}")
    if differences:
        for difference in differences:
            print(f"different: {difference}")
        sys.exit(1)
    print(f"same code: {len(a)} sections, {size} bytes, "
          f"{sum(len(section[3]) for section in a)} relocations")


main()
