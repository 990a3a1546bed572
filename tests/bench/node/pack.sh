#!/usr/bin/env bash
# pack.sh OUT KERNELBENCH LEADERBOARD CUDA_L1: all that measure.sh takes to a node with a GPU and without network, in the folder
# OUT: the bundle with the tests (./dev bundle --gpu-tests), a clone of KernelBench, public answers to its tasks (pick.py), and what
# KernelBench's evaluator imports. The three are clones; nothing of them is committed. Needs a release build and pip; some 20 MB.
set -euo pipefail
[ $# = 4 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1") kernelbench=$(realpath "$2") leaderboard=$(realpath "$3") cuda_l1=$(realpath "$4")
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
bench=tests/bench
python=${RIDGELINE_PYTHON:-python3}  # pick.py wants torch
mkdir -p "$out/scripts"
rm -f "$out"/ridgeline-gpu-tests-*  # of another version

cmake/bundle.sh build "$out" gpu-tests
cp $bench/parts.py $bench/gpu_times/{gpu_times,many,repeat}.py $bench/gpu_times/replay.cu $bench/kernelbench/*.py $bench/node/measure.sh "$out/scripts"
git -C "$kernelbench" archive --prefix=KernelBench/ HEAD KernelBench src pyproject.toml | gzip -9 >"$out/kernelbench.tar.gz"

pick() {
  "$python" $bench/kernelbench/pick.py --clone "$kernelbench" --leaderboard "$leaderboard" --cuda-l1 "$cuda_l1" "$@"
}
# Answers of a language model in `cuda` and in `triton`: a prompt of one_shot and one answer each, as they came.
of_a_model() {
  "$python" - "$bench/kernelbench/$1" "$2" <<'END'
import json, os, sys
folder, language = sys.argv[1:]
for name in sorted(os.listdir(folder)):
    task = os.path.splitext(name)[0]
    print(json.dumps({'id': f'{task} {language}', 'task': task.replace('_', '/'), 'language': language,
                      'source': open(f'{folder}/{name}').read()}))
END
}
of_a_model native cuda >"$out/native.jsonl"
# A hundred public ones, and before them those of which there are few: in triton, and KernelBench's own cheats.
pick --count 100 --most-large 8 --cheats >"$out/picked.jsonl"
{ of_a_model triton triton; grep '"id": "cheat' "$out/picked.jsonl"; grep -v '"id": "cheat' "$out/picked.jsonl"; } >"$out/hundred.jsonl"
rm "$out/picked.jsonl"
# Of those, twelve with inline CUDA for times of single answers, and three of hundreds of launches three times each.
answers_to() { grep '"language": "torch"' "$out/hundred.jsonl" | grep -v '"id": "cheat' | grep -E "\"task\": \"($1)\""; }
answers_to 'level1/(2|12|15)|level2/(8|9|22|78|87)|level3/(14|15|16|28)' >"$out/twelve.jsonl"
for turn in 1 2 3; do answers_to 'level3/(15|16|28)' | sed "s/\"id\": \"/&$turn /"; done >"$out/thrice.jsonl"

# For whatever Python the node has: these are pure but for pydantic's core, of which wheels for a few versions come along.
for version in 3.10 3.11 3.12 3.13; do
  python3 -m pip download -q --only-binary :all: --python-version $version --dest "$out/wheels" pydantic requests tqdm setuptools
done
du -sh "$out"
