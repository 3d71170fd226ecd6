#!/bin/sh
# exactness.sh CAUSAL-CLANG++ DIR [TRACES EVENTS]: the trace test (test/lit/Input/traces.test) on larger
# numbers: random lock-step traces, and events of threads that race, for both sizes of cells, with
# eliminations and without.
set -e
clang=$1 dir=$2 traces=${3:-5000} events=${4:-320000}
inputs=$(dirname "$0")/../../test/lit/Input/Inputs
mkdir -p "$dir"
export CAUSAL_OPTIONS=output=/dev/null
seed=1
for mode in input input-fast; do
  cell=int
  [ $mode = input ] || cell=long
  clang++-19 -O2 -DCELL=$cell -c "$inputs/trace-driver.cpp" -o "$dir/driver.o"
  for none in false true; do
    "$clang" -fcausal-profile=$mode -O2 -Xclang -mllvm -Xclang -causal-input-eliminate=$none \
      -DCELL=$cell -c "$inputs/trace-steps.cpp" -o "$dir/steps.o"
    "$clang" -fcausal-profile=$mode "$dir/steps.o" "$dir/driver.o" -o "$dir/traces"
    echo "$mode, eliminations: $none"
    "$dir/traces" trms file "$inputs/traces.txt"
    "$dir/traces" trms random $seed "$traces" 3
    for threads in 2 4 8; do
      "$dir/traces" trms race $seed $threads $((events / threads)) $((threads * 4))
      "$dir/traces" trms update $seed $threads $((events / threads)) $threads
      seed=$((seed + 1))
    done
    "$dir/traces" trms race $seed 60 $((events / 60)) 16
  done
done
