#!/usr/bin/env bash
# From a bare Debian 12 to a tested build, or to the profiles of the examples.
# Installs what is missing from Debian's packages and nothing from anywhere else
# (the HTML report gets its packages, and the sqlite example SQLite's source,
# through npm). A second run installs nothing and needs no network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The product: LLVM and the host compiler; the source of sanitizer_common; the tool.
product=(
  clang-19 lld-19 llvm-19-dev libclang-19-dev binutils cmake ninja-build gcc-12-source xz-utils
  libsimdjson-dev libeigen3-dev libboost-math-dev
)
# The tests and benchmarks.
tests=(
  clang-tools-19 clang-format-19 clang-tidy-19 llvm-19-tools libclang-rt-19-dev
  libgtest-dev libgmock-dev libbenchmark-dev libunwind-19-dev
  python3
  ccache coz-profiler
  # Programs of the tests run with these; with psutil lit ends a test that hangs.
  libjemalloc2 libtcmalloc-minimal4 gdb python3-psutil
  # Both libraries for OpenMP. Debian has one version of LLVM's at a time.
  libomp-19-dev gcc-12
)

usage() {
  cat <<EOF
usage: ./bootstrap.sh deps | check | demo [SECONDS]
  deps   install what is missing from Debian's packages, for the tests too
  check  deps, then build and run every test
  demo   install what the profiler needs, build it, profile the examples for SECONDS
         each (default 20), and print their reports
EOF
}

is_installed() { dpkg -s "$1" 2>/dev/null | grep -q '^Status: install ok installed$'; }

# need PACKAGE...: installs those that are missing, or says how.
need() {
  local missing=() package
  if ! command -v dpkg >/dev/null || ! command -v apt-get >/dev/null; then
    echo "bootstrap: this is not Debian; install the equivalents of: $*" >&2
    exit 1
  fi
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    echo "bootstrap: some packages are missing. As root:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  echo "bootstrap: installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q || echo "bootstrap: apt-get update failed; trying with the lists there are" >&2
  apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# What was installed by other means will do.
need_npm() {
  if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    need nodejs npm ca-certificates
  fi
}

# Everything to build and test with.
need_all() {
  need "${product[@]}" "${tests[@]}"
  need_npm
  if ! command -v chromium >/dev/null && ! command -v google-chrome >/dev/null; then
    need chromium
  fi
}

build() { # PRESET
  cmake --preset "$1"
  cmake --build --preset "$1" -- -j"$(nproc)"
}

check() {
  need_all
  build ci
  ctest --preset ci
}

# profile SECONDS EXAMPLE PROGRAM ARGUMENT...
profile() {
  local seconds="$1" example="$2" output="$PWD/build/demo/$2.causal"
  shift 2
  echo
  echo "== $example: profiling for $seconds seconds"
  (cd "examples/$example" && cmake --preset causal && cmake --build --preset causal) >"build/demo/$example.log" 2>&1 || {
    cat "build/demo/$example.log" >&2
    return 1
  }
  rm -f "$output"
  (cd build/demo && CAUSAL_OPTIONS="output=$output" "../../examples/$example/build/causal/$1" "${@:2}")
  causal report "$output"
}

demo() {
  local seconds="${1:-20}"
  need "${product[@]}"
  need_npm
  build product
  cmake --install build/product --prefix build/prefix >/dev/null
  export PATH="$PWD/build/prefix/bin:$PATH"
  mkdir -p build/demo
  profile "$seconds" fork-join fork_join "$seconds"
  profile "$seconds" pipeline pipeline "$seconds"
  # With more threads than cores a paused thread only makes room for another.
  local threads=$(($(nproc) < 4 ? $(nproc) : 4))
  profile "$seconds" sqlite sqlite_insert "$threads" "$seconds"
  echo
  echo "The profiles are in build/demo, the profiler in build/prefix/bin."
}

case "${1:-}" in
  deps) need_all ;;
  check) check ;;
  demo) demo "${2:-20}" ;;
  '' | help | --help | -h) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
