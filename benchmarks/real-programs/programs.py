"""What real_programs.py knows about each program: where its source comes from, how it
is built, the optimisation whose gain is known, and which lines that optimisation takes
time from.

A change that spreads over many lines is looked at from its callers: `exclude` leaves
the changed files out of scope, so that their time belongs to the lines that call into
them, and `lines` matches the source text of those lines."""
import dataclasses
import glob
import os
import re
from typing import Callable


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    what: str       # the workload
    change: str     # the optimisation, in words
    package: str    # of npm, with its version
    sha256: str     # of the package's archive
    workload: str   # in workloads/
    flags: str      # of all compilations; {src} is the package
    sources: Callable[[str], list[str]]  # of the package at a path
    exclude: str    # the changed code: CAUSAL_OPTIONS exclude=
    lines: str      # regular expression: text of the lines that call it
    workload_flags: str = ""
    # The optimisation: more flags for the workload, or for a source by its name,
    # sources in place of others, and changed texts.
    changed_workload_flags: str = ""
    more_flags: tuple[tuple[str, str], ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    edit: Callable[[str, str], str] | None = None
    # {path: text} of a package whose sources are cut into pieces before they are built.
    cut: Callable[[str], dict[str, str]] | None = None
    options: str = ""  # more CAUSAL_OPTIONS


def matching(*patterns):
    def find(package):
        found = [path for p in patterns for path in glob.glob(f"{package}/{p}")]
        return sorted(os.path.relpath(path, package) for path in found
                      if not re.search(r"(_test|test\w*|_bench|c_test|leveldbutil)\.cc?$", path))
    return find


def re2_sources(package):
    text = open(f"{package}/binding.gyp").read()
    return [path for path in re.findall(r'"(vendor/[^"]+\.cc)"', text)
            if "win32" not in path and "_win" not in path and "pcre.cc" not in path and "absl/flags" not in path]


def cut_amalgamation(package):
    """SQLite's one file, cut into the files that it was made of; it includes them."""
    pieces = {}

    def replace(match):
        pieces[match.group(1)] = match.group(0)
        return f'#include "{match.group(1)}"\n'

    text = open(f"{package}/deps/sqlite3/sqlite3.c").read()
    text = re.sub(r"/\*{10,} Begin file (\w+\.c) \*+/\n.*?/\*{10,} End of \1 \*+/\n",
                  replace, text, flags=re.DOTALL)
    header = open(f"{package}/deps/sqlite3/sqlite3.h").read()
    return {"sqlite3.c": text, "sqlite3.h": header, **pieces}


DIRECT = {
    "mutex.c": (r"sqlite3GlobalConfig\.mutex\.xMutex(Enter|Leave)\(", r"pthreadMutex\1(",
                "static void pthreadMutexEnter(sqlite3_mutex*);\n"
                "static void pthreadMutexLeave(sqlite3_mutex*);\n"),
    "malloc.c": (r"sqlite3GlobalConfig\.m\.x(Malloc|Free|Realloc|Size|Roundup)\(", r"sqlite3Mem\1(", ""),
    "pcache.c": (r"sqlite3GlobalConfig\.pcache2\.x(Fetch|Unpin)\(", r"pcache1\1(",
                 "static sqlite3_pcache_page *pcache1Fetch(sqlite3_pcache*, unsigned int, int);\n"
                 "static void pcache1Unpin(sqlite3_pcache*, sqlite3_pcache_page*, int);\n"),
}


def direct_calls(path, text):
    if path not in DIRECT:
        return text
    pattern, replacement, declarations = DIRECT[path]
    return declarations + re.sub(pattern, replacement, text)


SQLITE = dict(
    package="better-sqlite3@12.11.1",
    sha256="ebf0ed75a7a59dbcb3b24bbd014ef49d9f15bc328e4adcbf516f2a8fadfa2835",
    workload="sqlite.cpp", cut=cut_amalgamation, sources=lambda package: ["sqlite3.c"],
    flags="-DSQLITE_THREADSAFE=2 -DSQLITE_OMIT_LOAD_EXTENSION -std=c++17 -I{src}")

PROGRAMS = [
    Program(
        name="sqlite-memstatus", **SQLITE, workload_flags="-DTHREADS=4",
        what="SQLite: 4 threads insert into private databases",
        change="no memory statistics, hence no mutex around them",
        more_flags=(("sqlite3.c", "-DSQLITE_DEFAULT_MEMSTATUS=0"),),
        exclude="mutex.c,mutex_unix.c,status.c", lines=r"sqlite3_mutex_(enter|leave)\(mem0|sqlite3Status\w+\("),
    Program(
        name="sqlite-direct-calls", **SQLITE, workload_flags="-DTHREADS=1",
        what="SQLite: 1 thread inserts",
        change="mutexes, malloc and page cache called directly, not through pointers",
        edit=direct_calls,
        exclude="mutex.c,mutex_unix.c,mem1.c,pcache1.c",
        lines=r"sqlite3_mutex_(enter|leave)\(|MallocSize\(|GlobalConfig\.(m|pcache2)\.x|"
              r"\b(sqlite3Mem(Malloc|Free|Realloc|Size|Roundup)|pcache1(Fetch|Unpin))\("),
    Program(
        name="re2", what="RE2: 2 threads match lines against 6 patterns",
        change="each thread has RE2 objects of its own",
        package="re2@1.24.0", sha256="09536cb92d25ee341134af0285ff57dd3dd71dff83e689700fa851ad0626271b",
        workload="re2.cpp", sources=re2_sources,
        flags="-std=c++20 -DNDEBUG -I{src}/vendor/re2 -I{src}/vendor/abseil-cpp",
        changed_workload_flags="-DOWN_PATTERNS",
        exclude="absl/synchronization/*", lines=r"mu_->(Reader|Writer)|cache_mutex_"),
    Program(
        name="leveldb", what="LevelDB: 2 threads read with checksums, and write",
        change="crc32c by the SSE 4.2 instruction",
        package="leveldown@6.1.1", sha256="fe534f13e475826331c9cd59f279f073c3238e4db2ff2c930e17a786ba0f4f01",
        workload="leveldb.cpp",
        sources=matching(*(f"deps/leveldb/leveldb-1.20/{d}" for d in
                           ("db/*.cc", "table/*.cc", "util/*.cc", "port/port_posix*.cc")),
                         "deps/snappy/snappy/*.cc"),
        flags="-std=c++14 -DNDEBUG -DLEVELDB_PLATFORM_POSIX=1 -DOS_LINUX=1 -DSNAPPY=1 -DHAVE_CONFIG_H=1 "
              "-I{src}/deps/leveldb/leveldb-1.20 -I{src}/deps/leveldb/leveldb-1.20/include "
              "-I{src}/deps/snappy/snappy -I{src}/deps/snappy/linux",
        more_flags=(("port_posix_sse.cc", "-DLEVELDB_PLATFORM_POSIX_SSE -msse4.2"),),
        exclude="crc32c.*,port_posix_sse.cc", lines=r"crc32c::"),
    Program(
        name="hnswlib", what="hnswlib: 2 threads query one index and build the next",
        change="L2 distance by AVX2",
        package="hnswlib-node@3.0.0", sha256="4a8074485e5abe659d23e9998d97a00226db056ca466ada6eedbc512a4c4df01",
        workload="hnswlib.cpp", sources=matching(),
        flags="-std=c++17 -DNDEBUG -DNO_MANUAL_VECTORIZATION -I{src}/src/hnswlib",
        changed_workload_flags="-UNO_MANUAL_VECTORIZATION -mavx2",
        exclude="space_l2.h", lines=r"fstdistfunc_\("),
    Program(
        name="argon2", what="argon2id: hashes of 2 lanes, each a new thread",
        change="opt.c (AVX2) in place of ref.c",
        package="argon2@0.45.1", sha256="4acffbd5e5a87fe8fad926afc9a9ac450d69b7082686dd2836be0d8309dbd8aa",
        workload="argon2.cpp",
        sources=lambda package: [f"argon2/src/{f}.c" for f in
                                 ("argon2", "core", "encoding", "ref", "thread", "blake2/blake2b")],
        flags="-std=c++17 -DNDEBUG -I{src}/argon2/include -I{src}/argon2/src",
        instead=(("argon2/src/ref.c", "argon2/src/opt.c"),),
        more_flags=(("opt.c", "-mavx2"),),
        exclude="ref.c,opt.c,blamka-round-*.h,blake2-impl.h",
        lines=r"fill_segment\(|(src|dst)->v\[i\]|ARGON2_QWORDS_IN_BLOCK"),
]
