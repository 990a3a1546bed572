#!/usr/bin/env bash
# measure.sh RESULTS PHASE...: figures of docs/measurements.md, on a node with a GPU, torch for CUDA, nvcc and ncu; run where pack.sh's
# folder lies. RIDGELINE_TORCH names the folder that holds torch/, RIDGELINE_PYTHON a Python with it, LIMIT the seconds that a
# phase of many answers may take (540): it goes on in the next call. What was learned lies in the folder RESULTS.
#
#   tests       all that need a GPU               tests-busy  the same while KernelBench builds the hundred, on every core
#   honest      every honest kernel REPEATS (20) times
#   repeat      seven kernels 20 times: how far do speed-ups spread?
#   alone       source to verdict, one kernel at a time; neighbours  a third of the kernels crash, hang, corrupt or cheat
#   times       against ncu and graph replay      sustained   kernels a second, with counters and without; sustained-counted,
#                                                 sustained-uncounted
#   modules     answers of hundreds of launches, three times each
#   twelve, native, hundred                       answers judged by ours, the first two one at a time; without counters, which
#                                                 KernelBench's evaluator has none of
#   twelve-counted, native-counted                with them
#   by-twelve, by-hundred                         the same by KernelBench's evaluator
#   table       what both said, side by side
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,17p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=$1; shift
packed=$(ls "$here"/ridgeline-gpu-tests-*.tar.gz)
work=${TMPDIR:-/tmp}/ridgeline-measure-$(sha256sum "$packed" | cut -c1-12)  # another build, another folder
limit=${LIMIT:-540}
export RIDGELINE_PYTHON=${RIDGELINE_PYTHON:-python3}
mkdir -p "$results" "$work"

say() { echo "== $* ($(date +%T))" >&2; }

unpack() {
  [ -e "$work/unpacked" ] && return
  mkdir -p "$work/bundle"
  tar -xzf "$packed" -C "$work/bundle" --strip-components=1
  tar -xzf "$here/kernelbench.tar.gz" -C "$work"
  # An interpreter may have no pip, and a wheel is an archive.
  local version wheel
  version=$("$RIDGELINE_PYTHON" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
  for wheel in "$here"/wheels/*-none-*.whl "$here"/wheels/*-"$version"-*.whl; do
    "$RIDGELINE_PYTHON" -m zipfile -e "$wheel" "$work/site"
  done
  touch "$work/unpacked"
}

unpack
bundle=$work/bundle
. "$bundle/share/ridgeline/tests/gpu.sh"
gpu_facts | tee "$results/machine.txt"
gpu_libraries "${RIDGELINE_TORCH:-}"
ridgeline=$bundle/bin/ridgeline sources=$bundle/share/ridgeline clone=$work/KernelBench scripts=$here/scripts

# With a file that says where the judge's seconds went, and its table.
in_parts() {
  local file=$results/$1.parts.jsonl
  rm -f "$file"
  RIDGELINE_METRICS=$file "${@:2}"
  "$RIDGELINE_PYTHON" "$scripts/parts.py" "$file" >"$results/$1.parts.txt"
}
many() { "$RIDGELINE_PYTHON" "$scripts/many.py" "$ridgeline" "$sources" "$@"; }
gpu_tests() { RIDGELINE_BIN_DIR=$bundle/bin "$bundle/run-gpu-tests" "$@"; }
ours() {
  rm -rf "$work/cache"  # what another phase built would be quick here
  XDG_CACHE_HOME=$work/cache "$RIDGELINE_PYTHON" "$scripts/by_ridgeline.py" --clone "$clone" --answers "$here/$1.jsonl" --out "$results/$1.ours.jsonl" \
    --ridgeline "$ridgeline" --seconds "$limit" "${@:2}"
}
theirs() {
  PYTHONPATH=$work/site "$RIDGELINE_PYTHON" "$scripts/by_kernelbench.py" --clone "$clone" \
    --answers "$here/$1.jsonl" --out "$results/$1.kernelbench.jsonl" --work "$work/by-$1" --seconds "$limit" "${@:2}"
}

phase() {
  case $1 in
    tests) gpu_tests >"$results/gpu-tests.txt" 2>&1 || true; tail -1 "$results/gpu-tests.txt" ;;
    tests-busy)
      # What is built here by-hundred need not build; its seconds are marked as those of a busy host.
      (renice -n 19 "$BASHPID" >&2; theirs hundred --build-only --batch "$(nproc)" --builders "$(nproc)" >"$results/builds-beside.txt" 2>&1) &
      local builds=$!
      gpu_tests >"$results/gpu-tests-busy.txt" 2>&1 || true
      kill "$builds" 2>/dev/null || true
      while pkill -KILL -f "$work/by-hundred"; do sleep 0.2; done  # compilers are in sessions of their own
      wait "$builds" || true
      tail -1 "$results/gpu-tests-busy.txt" ;;
    honest)
      local suite
      for suite in HonestTestcasesOnGpu NativeOnGpu; do
        RIDGELINE_REPEATS=${REPEATS:-20} gpu_tests --gtest_filter="*$suite*" >"$results/honest-$suite.txt" 2>&1 || true
        tail -1 "$results/honest-$suite.txt"
      done ;;
    repeat) "$RIDGELINE_PYTHON" "$scripts/repeat.py" "$ridgeline" "$sources" --out "$results/repeat.jsonl" | tee "$results/repeat.txt" ;;
    times) "$RIDGELINE_PYTHON" "$scripts/gpu_times.py" "$ridgeline" "$sources" "$sources/benchmark_tasks" --out "$results/times" | tee "$results/times.txt" ;;
    sustained) phase sustained-uncounted; phase sustained-counted ;;
    sustained-uncounted) in_parts "$1" many sustained --count 100 --no-counters | tee "$results/$1.txt" ;;
    sustained-counted) in_parts "$1" many sustained --count 100 | tee "$results/$1.txt" ;;
    alone|neighbours) many "$1" | tee "$results/$1.txt" ;;
    modules) ours thrice --one-at-a-time -- --no-counters ;;
    twelve|native) in_parts "$1" ours "$1" --one-at-a-time -- --no-counters ;;
    twelve-counted|native-counted) ours "${1%-counted}" --out "$results/$1.ours.jsonl" --one-at-a-time ;;
    hundred) in_parts "$1" ours "$1" -- --no-counters ;;
    by-twelve) theirs twelve --batch 12 --builders 12 ;;
    by-hundred) theirs hundred --batch 24 --builders 12 --together 7 ;;
    table)
      local one
      for one in twelve hundred; do
        [ ! -s "$results/$one.kernelbench.jsonl" ] || [ ! -s "$results/$one.ours.jsonl" ] ||
          "$RIDGELINE_PYTHON" "$scripts/side_by_side.py" "$results/$one.kernelbench.jsonl" "$results/$one.ours.jsonl" >"$results/$one.md"
      done ;;
    *) echo "measure.sh: there is no phase '$1'; call it without arguments for a list" >&2; exit 2 ;;
  esac
}

for one in "$@"; do
  say "$one"
  phase "$one"
done
say "done"
