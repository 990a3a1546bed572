# Sourced by ./dev test --gpu and by run-gpu-tests of cmake/bundle.sh: the card that tests run on, and where its
# libraries are.

# What must stand beside any figure. Ends with 3 where there is no GPU.
gpu_facts() {
  local cards problem="no nvidia-smi here: install NVIDIA's driver, or run this on a machine with a GPU"
  if ! command -v nvidia-smi >/dev/null || ! cards=$(nvidia-smi --format=csv,noheader \
      --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,temperature.gpu,power.draw,power.limit 2>&1); then
    printf 'gpu tests: no GPU: %s\n' "${cards:-$problem}" >&2
    exit 3
  fi
  date '+date: %Y-%m-%d %H:%M %Z'
  echo "host: $(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)"
  local name driver clock most memory temperature power limit number=0
  while IFS=, read -r name driver clock most memory temperature power limit; do
    echo "card $number: $name, driver$driver, SM clock$clock of$most, memory clock$memory,$temperature °C,$power of$limit"
    number=$((number + 1))
  done <<<"$cards"
}

# gpu_libraries TORCH: puts torch's CUDA half, what it needs of its neighbours, and the driver where a container's
# runtime lays it, on the loader's path. TORCH holds torch/.
gpu_libraries() {
  if [ ! -e "$1/torch/lib/libtorch_cuda.so" ]; then
    printf 'gpu tests: %s holds no torch/lib/libtorch_cuda.so: let RIDGELINE_TORCH name the folder that holds a torch built for CUDA (a site-packages folder, say)\n' \
      "'$1'" >&2
    exit 3
  fi
  local folder
  for folder in "$1/torch/lib" "$1"/nvidia/*/lib "$1/cuda/lib" /usr/local/nvidia/lib64; do
    [ ! -d "$folder" ] || LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder
  done
  export LD_LIBRARY_PATH
}
