"""Fetches the programs of programs.py and builds them in their four variants, with
ninja, so that a second run builds nothing. Nothing of the packages is run."""
import hashlib
import os
import re
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.normpath(os.path.join(HERE, "../../include"))
VARIANTS = ("plain", "changed", "profiled", "profiled-changed")


def fail(message):
    sys.exit(f"real_programs.py: {message}")


def fetch(program, work):
    """The directory of the unpacked package."""
    name = program.package.replace("@", "-")
    directory, archive = f"{work}/packages/{name}", f"{work}/packages/{name}.tgz"
    if os.path.isdir(directory):
        return directory
    os.makedirs(os.path.dirname(directory), exist_ok=True)
    if not os.path.exists(archive):
        try:
            done = subprocess.run(["npm", "pack", "--silent", program.package], cwd=f"{work}/packages",
                                  capture_output=True, text=True)
        except FileNotFoundError:
            fail("npm was not found: install it (Debian: apt-get install npm)")
        if done.returncode:
            fail(f"npm pack {program.package} failed:\n{done.stderr}")
    actual = hashlib.sha256(open(archive, "rb").read()).hexdigest()
    if actual != program.sha256:
        os.remove(archive)
        fail(f"{archive} has SHA-256 {actual}, expected {program.sha256}")
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            member.name = re.sub("^[^/]*/", "", member.name)
            if member.isfile() and re.search(r"\.(c|cc|h|inc|gyp)$", member.name):
                tar.extract(member, f"{directory}.part", filter="data")
    os.rename(f"{directory}.part", directory)
    return directory


def write(path, text):
    """Writes if that changes something, so that ninja need not build again."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path) or open(path).read() != text:
        with open(path, "w") as file:
            file.write(text)


def source_tree(program, package, changed):
    """Where the sources of a variant lie: in the package, or cut up in a copy."""
    if not program.cut:
        return package
    edit = program.edit if changed else None
    tree = f"{package}-{edit.__name__ if edit else 'cut'}"
    for path, text in program.cut(package).items():
        write(f"{tree}/{path}", edit(path, text) if edit else text)
    return tree


def compilations(program, package, changed):
    """(source, flags) of a variant."""
    tree = source_tree(program, package, changed)
    flags = program.flags.format(src=tree)
    yield f"{HERE}/workloads/{program.workload}", (
        f"{flags} {program.workload_flags} {program.changed_workload_flags if changed else ''}")
    for source in program.sources(package):
        if changed:
            source = dict(program.instead).get(source, source)
        yield f"{tree}/{source}", " ".join([flags] + [
            more for name, more in program.more_flags if changed and name == os.path.basename(source)])


def compiler_for(source, flags, profiled, prefix):
    """The compiler and the flags. In profiled code a tail call stays a call, so that
    libc's time is found at the line that called it, and not at its caller's."""
    cxx = not source.endswith(".c")
    flags += " -fno-optimize-sibling-calls" if profiled else ""
    name = f"{prefix}/bin/causal-clang" if profiled else "clang"
    command = name + ("++" if cxx else "") + (" -fcausal-profile" if profiled else "-19")
    return command, flags if cxx else re.sub(r"-std=\S+", "", flags)


def build(programs, work, prefix):
    """{program: {variant: path of its executable}}."""
    runtime = f"{prefix}/lib/causal"
    if not os.path.isdir(runtime):
        fail(f"{prefix} is not an installation of the profiler (cmake --install)")
    implicit = " | " + " ".join(f"{runtime}/{f}" for f in sorted(os.listdir(runtime)) if re.search(r"\.(so|a)$", f))
    rules = ["rule compile", "  command = $compiler -O2 -w $flags -MD -MF $out.d -c $in -o $out", "  depfile = $out.d",
             "  deps = gcc", "rule link", "  command = $compiler $in -o $out -pthread -lm"]
    executables, known = {}, set()
    for program in programs:
        package = fetch(program, work)
        executables[program.name] = {variant: f"{work}/{program.name}/{variant}" for variant in VARIANTS}
        for variant in VARIANTS:
            profiled = variant.startswith("profiled")
            after = implicit if profiled else ""
            objects = []
            for source, flags in compilations(program, package, variant.endswith("changed")):
                command, flags = compiler_for(source, f"{flags} -I{INCLUDE}", profiled, prefix)
                key = hashlib.sha256(f"{command} {flags} {source}".encode()).hexdigest()[:12]
                objects.append(f"objects/{key}-{os.path.basename(source)}.o")
                if objects[-1] not in known:
                    known.add(objects[-1])
                    rules += [f"build {objects[-1]}: compile {source}{after}", f"  compiler = {command}", f"  flags = {flags}"]
            linker, _ = compiler_for("cpp", "", profiled, prefix)
            rules += [f"build {program.name}/{variant}: link {' '.join(objects)}{after}", f"  compiler = {linker}"]
    write(f"{work}/build.ninja", "\n".join(rules) + "\n")
    done = subprocess.run(["ninja", "-C", work], capture_output=True, text=True)
    if done.returncode:
        fail(f"building failed:\n{done.stdout}")
    return executables
