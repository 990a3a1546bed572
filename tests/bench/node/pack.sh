#!/usr/bin/env bash
# pack.sh OUT KERNELBENCH LEADERBOARD CUDA_L1: all that measure.sh takes to a node with a GPU and without network, in the folder
# OUT: the bundle with the tests (./dev bundle --gpu-tests), a clone of KernelBench, public answers to its tasks (pick.py), and what
# KernelBench's evaluator imports. The three are clones; nothing of them is committed. Needs a release build and pip; some 20 MB.
set -euo pipefail
[ $# = 4 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
out=$1 kernelbench=$2 leaderboard=$3 cuda_l1=$4
bench=tests/bench
python=${RIDGELINE_PYTHON:-python3}  # pick.py wants torch
mkdir -p "$out/scripts"

cmake/bundle.sh build "$out" gpu-tests
cp $bench/gpu_times/{gpu_times,many,repeat}.py $bench/gpu_times/replay.cu $bench/kernelbench/*.py $bench/node/measure.sh "$out/scripts"
git -C "$kernelbench" archive --prefix=KernelBench/ HEAD KernelBench src pyproject.toml | gzip -9 >"$out/kernelbench.tar.gz"

pick() {
  "$python" $bench/kernelbench/pick.py --clone "$kernelbench" --leaderboard "$leaderboard" --cuda-l1 "$cuda_l1" "$@"
}
pick --count 60 --most-large 6 >"$out/sixty.jsonl"
pick --count 100 --most-large 8 >"$out/hundred.jsonl"
# Small and middling inputs, each with inline CUDA: for times of single answers.
grep load_inline "$out/sixty.jsonl" | grep -v cuda-l1 | sed -n '1~3p' | head -12 >"$out/twelve.jsonl"
# Hundreds of launches, three times each: do their times repeat?
for turn in 1 2 3; do
  pick --count 250 --most-large 8 2>/dev/null | grep -E '"task": "level3/(15|16|28)"' | sed "s/\"id\": \"/&$turn /"
done >"$out/thrice.jsonl"

# For whatever Python the node has: these are pure but for pydantic's core, of which wheels for a few versions come along.
for version in 3.10 3.11 3.12 3.13; do
  python3 -m pip download -q --only-binary :all: --python-version $version --dest "$out/wheels" pydantic requests tqdm setuptools ninja
done
du -sh "$out"
