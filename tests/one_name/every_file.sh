#!/usr/bin/env bash
# That the list which whole_program.sh reads holds every header and source of ours, and that a header means the same to
# whoever includes it.
#
#   every_file.sh LIST ROOT
set -euo pipefail
list=$1
cd "$2"
failed=0

# torch_slim/headers: stand-ins for torch's own headers and what is compiled with them into candidates' modules,
# kept as texts and never linked with ours.
missing=$(find engine prompts llm_clients profiler benchmark_tasks \( -name '*.hpp' -o -name '*.cpp' \) |
  grep -v '^engine/torch_slim/headers/' | sort | comm -23 - <(sed "s,^$PWD/,," "$list" | sort))
if [ -n "$missing" ]; then
  printf 'one name: no room has %s\n' $missing >&2
  echo "Fix: a folder with sources calls ridgeline_room; a target made by hand is told to ridgeline_of_the_program" >&2
  failed=1
fi

# Two libraries that set a macro differently would have two meanings of one class. What the compiler itself says of the
# machine is the same to both.
if grep -nE '^ *# *(if|ifdef|ifndef|elif)' $(grep '\.hpp$' "$list") | grep -vE '# *(el)?if defined\(__(x86_64|aarch64)__\)$'; then
  echo "one name: these headers mean what a macro says. Fix: let a function or a constant in a source decide" >&2
  failed=1
fi
[ $failed = 0 ] && echo "one name: every header and source is among $(wc -l < "$list") files"
exit $failed
