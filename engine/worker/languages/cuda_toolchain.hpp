// Finds nvcc on this machine, with the host compiler that it needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/worker/languages/toolchain.hpp"

namespace ridgeline::languages {

struct CudaToolchain {
  std::string program;  // absolute, links followed: /usr/local/cuda-13.0/bin/nvcc; "" where none is
  std::string version;  // "nvcc 13.0.88"
  std::vector<std::string> roots;  // folders outside /usr that it needs
  Toolchain host;                  // compiles the host's half, and the trampolines
  Hash fingerprint;                // of both versions; the CPU's own instructions play no part here
};

/// Lists where nvcc may be, in order: on the PATH, in $CUDA_HOME, in /usr/local/cuda, and in the folder named
/// by $RIDGELINE_CUDA_WHEELS, where pip put nvidia-cuda-nvcc and its parts (a site-packages folder, or the
/// nvidia/cu13 in it).
std::vector<std::string> nvcc_places();

/// Returns the first of `places` that runs in the sandbox, has its parts beside it and takes `host`; empty,
/// as on most machines, if none does.
std::optional<CudaToolchain> find_nvcc(sandbox::Isolation isolation, const Toolchain& host,
                                       const std::vector<std::string>& places = nvcc_places());

/// Makes the host compiler's sandbox with the toolkit to read and execute. No device, no network.
sandbox::Policy nvcc_policy(const CudaToolchain& toolchain, sandbox::Isolation isolation,
                            const std::string& scratch);

inline constexpr const char* no_nvcc =
    "no nvcc was found: install the CUDA toolkit, or `pip install nvidia-cuda-nvcc nvidia-cuda-runtime "
    "nvidia-cuda-cccl` and name its folder in RIDGELINE_CUDA_WHEELS";

}  // namespace ridgeline::languages
