#!/usr/bin/env bash
# Installs the deb in a clean Debian root, profiles examples with what the package alone brings,
# removes it, and checks that nothing stays. Nothing of the source tree gets into the root.
#
# usage: packaging/test-deb.sh DEB|FOLDER
#   SUITE=bookworm, MIRROR=...   where the root comes from; by default as apt has it
#   ROOT_ARCHIVE=FILE.tar     a root that debootstrap made before; made if it is not there
# Needs root, debootstrap and the network. Exit status 77: one of them is missing, not tested.
set -euo pipefail

suite=${SUITE:-bookworm}
mirror=${MIRROR:-$(apt-get indextargets --format "\$(REPO_URI)" "Created-By: Packages" | head -n 1)}

skip() { echo "test-deb: not tested: $*" >&2; exit 77; }
fail() { echo "test-deb: FAILED: $*" >&2; exit 1; }
step() { echo "test-deb: $*"; }

[ $# = 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
deb=$1
if [ -d "$deb" ]; then
  deb=$(find "$deb" -maxdepth 1 -name 'causal_*.deb' | sort -V | tail -1)
  [ -n "$deb" ] || fail "no causal_*.deb in $1: make it with cpack --preset release"
fi
[ -f "$deb" ] || fail "no file $deb"
deb=$(realpath "$deb")
[ "$(id -u)" = 0 ] || skip "debootstrap and chroot need root"
command -v debootstrap >/dev/null || skip "apt-get install debootstrap"

# All mounts are in a name space of their own: they end with this script, whatever ends it.
if [ -z "${TEST_DEB_INSIDE:-}" ]; then
  unshare -m true 2>/dev/null || skip "this system lets nobody mount"
  TEST_DEB_INSIDE=1 exec unshare -m --propagation private "$0" "$deb"
fi

work=$(mktemp -d)
root=$work/root
mkdir "$root"
clean_up() {
  umount -l "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT

if [ -n "${ROOT_ARCHIVE:-}" ] && [ -f "$ROOT_ARCHIVE" ]; then
  step "unpack $ROOT_ARCHIVE"
  tar -C "$root" -xf "$ROOT_ARCHIVE"
else
  step "debootstrap $suite from $mirror"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" 2>&1 || {
    tail -20 "$work/log" >&2
    skip "no root from $mirror"
  }
  [ -z "${ROOT_ARCHIVE:-}" ] || tar -C "$root" -cf "$ROOT_ARCHIVE" .
fi
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"

inside() { # COMMAND...
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
}
# quietly NAME COMMAND...: shows what it printed if it fails.
quietly() {
  local name=$1
  shift
  step "$name"
  "$@" >"$work/log" 2>&1 || { tail -40 "$work/log" >&2; fail "$name"; }
}

quietly "update the lists of packages" inside apt-get update -q
cp "$deb" "$root/tmp/causal.deb"
quietly "install the package with what it depends on, and nothing that it only suggests" \
  inside apt-get install -q -y --no-install-recommends /tmp/causal.deb
inside dpkg -L causal >"$work/files"

step "every program finds its libraries, its clang and its neighbours"
inside causal --version
inside causal help run >/dev/null
inside causal-clang++ --version | grep -q 'clang version 19' || fail "causal-clang++ runs no clang 19"
for file in usr/include/causal/causal.h usr/lib/cmake/Causal/CausalConfig.cmake \
  usr/share/man/man1/causal-run.1 usr/share/bash-completion/completions/causal \
  usr/share/causal/duckdb.sql usr/share/doc/causal/copyright; do
  [ -f "$root/$file" ] || fail "the package has no /$file"
done

step "one file, built and profiled with the package alone"
cp -r "$root/usr/share/doc/causal/examples" "$root/root/examples"
inside sh -ec 'cd /root/examples/fork-join
  causal-clang++ -fcausal-profile -O2 fork_join.cpp -o fork_join -pthread
  causal run --max-time=20s --output=run.causal --report=report.txt -- ./fork_join 4
  causal report --html=page.html run.causal
  causal report --format=json run.causal >report.json' >"$work/log" 2>&1 || {
  tail -40 "$work/log" >&2
  fail "the example fork-join"
}
grep -q 'fork_join.cpp:' "$root/root/examples/fork-join/report.txt" ||
  fail "the report names no line of fork_join.cpp"
[ -s "$root/root/examples/fork-join/report.json" ] || fail "no report as JSON"
grep -q '<html' "$root/root/examples/fork-join/page.html" || fail "the page is no page"

quietly "install what the examples are built with" \
  inside apt-get install -q -y --no-install-recommends cmake ninja-build
quietly "the examples by their CMake presets" inside sh -ec '
  for example in fork-join pipeline; do
    cd /root/examples/$example
    cmake --preset causal
    cmake --build --preset causal
  done
  cd /root/examples/pipeline
  CAUSAL_OPTIONS=output=pipeline.causal build/causal/pipeline 5
  causal report pipeline.causal >report.txt'
grep -q 'pipeline' "$root/root/examples/pipeline/report.txt" || fail "no report on pipeline"

quietly "a project that asks for the CMake package" inside sh -ec '
  mkdir /root/consumer && cd /root/consumer
  cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(Consumer CXX)
find_package(Causal REQUIRED)
add_executable(app ../examples/fork-join/fork_join.cpp)
target_link_libraries(app PRIVATE causal::instrument)
END
  cmake -G Ninja -B build -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_BUILD_TYPE=Release
  cmake --build build
  CAUSAL_OPTIONS=output=app.causal build/app 2
  test -s app.causal'

quietly "remove it" inside apt-get purge -q -y causal
while read -r file; do
  if [ ! -d "$root$file" ] && { [ -e "$root$file" ] || [ -L "$root$file" ]; }; then
    fail "$file stays"
  fi
done <"$work/files"
[ ! -e "$root/usr/lib/causal" ] || fail "/usr/lib/causal stays"
step "passed"
