// Sets LibTorch's process-wide switches. Call it once, on the only thread, before any other function of this
// room.
#pragma once

#include <string>

namespace ridgeline::verifier {

/// Makes LibTorch an honest, repeatable interpreter of reference text. Sets `threads` threads within an
/// operator and one between operators; switches off JIT fusers, the profiling executor and graph
/// optimisation (otherwise a chain of pointwise operators becomes one fused group after a few calls, and the
/// baseline is no longer eager); switches off TF32; computes float32 products at full precision; keeps
/// subnormals. oneDNN stays on, since eager LibTorch uses it on a CPU.
void make_deterministic(int threads);

/// Loads LibTorch's CUDA half, which must have the version of this build, and makes `device` its current
/// device. Throws MachineCannot with what to do.
void load_cuda_half(int device);

/// Returns the version of the headers that this binary was built with, e.g. "2.11.0".
std::string torch_version();

}  // namespace ridgeline::verifier
