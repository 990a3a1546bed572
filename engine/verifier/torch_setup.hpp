// LibTorch's process-wide switches. Call once, before any other function of this room, while one thread runs.
#pragma once

#include <string>

namespace ridgeline::verifier {

/// Makes LibTorch an honest, repeatable interpreter of reference text: `threads` threads within an operator
/// and one between operators, JIT fusers, profiling executor and graph optimisation off (else a chain of
/// pointwise operators becomes one fused group after a few calls, and the baseline is no longer eager), TF32
/// off, float32 products at full precision, subnormals kept. oneDNN stays on: it is what eager LibTorch uses
/// on a CPU.
void make_deterministic(int threads);

/// Loads LibTorch's CUDA half, which must be of this very version, and makes `device` its current one. Throws
/// MachineCannot with the mend.
void load_cuda_half(int device);

/// Version of the headers this binary was built with, e.g. "2.11.0".
std::string torch_version();

}  // namespace ridgeline::verifier
