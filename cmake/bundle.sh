#!/usr/bin/env bash
# bundle.sh BUILD OUT [gpu-tests]: the programs of BUILD/bin with all they need on a node without our packages, as one archive in
# OUT. LibTorch stays out (gigabytes, and a GPU node has it): the worker finds it there at run time, in the folder that
# RIDGELINE_TORCH names or by python3, and `ridgeline doctor` says where it does not. With `gpu-tests` the tests that
# need a GPU come along, with their kernels, the script that runs them, and bench-adversary.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1 out=$2 with=${3:-}

version=$(sed -n 's/.*version = "\(.*\)";/\1/p' engine/core/version.hpp)
torch=$(sed -n "s/^RIDGELINE_TORCH:PATH=//p" "$build/CMakeCache.txt")
torch_version=$(sed -n "s/^__version__ = '\([0-9.]*\).*/\1/p" "$torch/torch/version.py")
name=ridgeline-$version-linux-$(uname -m)
programs=(ridgeline ridgeline-worker ridgeline-judge ridgeline-runner)
data=('benchmark_tasks/*.yaml' 'configs/*')
if [ "$with" = gpu-tests ]; then
  name=ridgeline-gpu-tests-$version
  data+=('tests/testcases/*' 'tests/benchmark_tasks/kernels/*.cu' 'tests/benchmark_tasks/kernels/*.py' 'tests/engine/suites/kernelbench/clone/*' 'prompts/common/example*' tests/gpu.sh)
  for program in "$build"/bin/*_gpu_tests "$build/bin/bench-adversary"; do programs+=("${program##*/}"); done
fi
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/$name
# What every Debian and Ubuntu has, and must come from the node: a compiler there makes kernels for its own libstdc++.
system='^(linux-vdso|ld-linux-.*|libc|libm|libdl|librt|libpthread|libutil|libgcc_s|libstdc\+\+)\.so'

mkdir -p "$root"/{bin,lib,share/ridgeline,share/licenses}
for program in "${programs[@]}"; do
  strip -o "$root/bin/$program" "$build/bin/$program"
  ldd "$build/bin/$program" | sed -n 's/^\s*\(\S*\) => \(\S*\) .*/\1 \2/p' | while read -r library path; do
    [[ $library =~ $system || $path == "$torch"/* ]] && continue
    cp -Lu "$path" "$root/lib/$library"
  done
  # Not the newer RUNPATH, which the libraries that a library needs do not follow. The build's folders go.
  patchelf --force-rpath --set-rpath '$ORIGIN/../lib' "$root/bin/$program"
done
for library in python-runner held; do
  strip -o "$root/bin/libridgeline-$library.so" "$build/bin/libridgeline-$library.so"
done
[ "$(ldd "$root/bin/ridgeline-runner" | grep -c "$root/lib")" = 0 ] ||
  { echo "bundle.sh: the runner must need no library but the system's: its sandbox sees no other" >&2; exit 1; }

git ls-files "${data[@]}" | while read -r file; do
  install -D -m 644 "$file" "$root/share/ridgeline/$file"
done
ln -s share/ridgeline/configs "$root/configs"
if [ "$with" = gpu-tests ]; then
  install -m 755 cmake/run-gpu-tests "$root/run-gpu-tests"
  git describe --always --exclude='*' --dirty=+ >"$root/share/ridgeline/commit"  # figures name it
fi
cp LICENSE "$root/LICENSE"
sed -e "s/@VERSION@/$version/" -e "s/@TORCH@/$torch_version/" cmake/bundle_readme.txt >"$root/README.txt"

# Of all that was linked, as archives and headers too.
for package in libboost{1.81,1.83,1.88}-dev libcli11-dev libfmt-dev libseccomp-dev libsqlite3-dev \
  libsqlitecpp-dev libssl-dev libyaml-cpp-dev nlohmann-json3-dev; do
  [ ! -e "/usr/share/doc/$package/copyright" ] || cp "/usr/share/doc/$package/copyright" "$root/share/licenses/$package"
done

mkdir -p "$out"
# The same commit gives the same archive.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -C "$stage" -cf - "$name" |
  gzip -n -9 >"$out/$name.tar.gz.part"
mv "$out/$name.tar.gz.part" "$out/$name.tar.gz"
echo "$out/$name.tar.gz"
