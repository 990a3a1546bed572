#!/usr/bin/env bash
# bundle.sh ARCHIVE TORCH: does the archive work where only the system's own libraries are? Unpacks it, empties the
# environment, and hides with bubblewrap, where that is here, our packages' libraries, the sources and the build.
# TORCH holds torch/.
set -euo pipefail
archive=$(realpath "$1") torch=$(realpath "$2")
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a node"
tar -xzf "$archive" -C "$work/a node"
root=$(echo "$work/a node"/ridgeline-*)

say() { printf 'bundle: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

hidden=()
if command -v bwrap >/dev/null && bwrap --ro-bind / / true 2>/dev/null; then
  hidden=(bwrap --bind / / --dev-bind /dev /dev --proc /proc --tmpfs "$source")
  for library in "$root"/lib/*; do
    for system in /usr/lib/*/"${library##*/}"; do
      [ -e "$system" ] && hidden+=(--ro-bind /dev/null "$(realpath "$system")")
    done
  done
else
  say "no bubblewrap here: our packages' libraries stay in sight"
fi

# on STATUS COMMAND...: runs it on the "node" and looks at how it ends.
on() {
  local wanted=$1 status=0; shift
  (cd "$root" && exec "${hidden[@]}" env -i HOME="$work/home" TMPDIR="$work" "$@") >"$work/out" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || { cat "$work/out" >&2; fail "exit status $status, not $wanted, of: $*"; }
}
says() { grep -q -- "$1" "$work/out" || { cat "$work/out" >&2; fail "nothing is said of: $1"; }; }

mkdir "$work/home"
on 0 bin/ridgeline --version
on 0 bin/ridgeline tasks list; says softmax
on 0 bin/ridgeline run configs/quickstart.yaml --plan
on 3 PATH=/usr/bin:/bin RIDGELINE_TORCH=/nowhere bin/ridgeline doctor
says "pip install torch=="
on 3 PATH=/nowhere RIDGELINE_TORCH="$torch" bin/ridgeline doctor
says "no C++ compiler was found: install g++"
on 0 PATH=/usr/bin:/bin RIDGELINE_TORCH="$torch" bin/ridgeline doctor; says "^languages  *cpp"
cat >"$root/relu.cpp" <<'KERNEL'
#include <cstdint>
extern "C" void kernel_relu(const float* x, float* y, int64_t n, void*) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}
KERNEL
on 0 PATH=/usr/bin:/bin RIDGELINE_TORCH="$torch" bin/ridgeline evaluate relu relu.cpp; says "relu on .*: correct"
says "^isolation: "
on 2 bin/ridgeline serve none.db
say "works: a kernel was built, judged and timed"
