// Lays out the memory by which the judge opens the inputs of one call after the other, while a window is open
// (docs/decisions/sealed-inputs.md). One memory file a runner, made by the judge, mapped by both, and read
// and written by the device.
//
// `published` is stored after its key, `committed` after its digest; who reads one with acquire order sees
// what it counts.
//
// Once a candidate is loaded, what the runner writes is a claim of the candidate's process and may change
// while it is read. The judge copies each digest before it publishes the next key, and compares it with one
// that it takes itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/cuda/sealing.hpp"
#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {

inline constexpr std::size_t kMostSealedCalls = 64;                ///< of one batch
inline constexpr std::size_t kMostCubin = std::size_t{256} << 10;  ///< bytes

/// How an argument is used, and how many of its bytes.
struct SealedArgument {
  std::uint64_t bytes = 0;
  std::uint32_t sealed = 0;    ///< 1: its bytes are sealed until the call begins
  std::uint32_t digested = 0;  ///< 1: its bytes enter the call's digest
};

struct SealedExchange {
  // Written by the judge before the runner maps this: the kernels of cuda::Sealing.
  std::uint64_t cubin_bytes = 0;
  std::array<char, kMostCubin> cubin{};
  // Written by the judge before each order.
  std::uint64_t arguments = 0;
  std::array<SealedArgument, kMaxArguments> argument{};
  std::uint64_t empties_cache = 0;  ///< 1: the L2 is emptied before each call; 0: opened inputs stay there
  // Written by the judge while the order is under way. The device polls `published`.
  alignas(4096) std::uint64_t published = 0;  ///< how many of `keys` there are
  std::array<std::uint64_t, kMostSealedCalls> keys{};
  // Written by the device, on behalf of the runner.
  alignas(4096) std::uint64_t committed = 0;  ///< how many of `digests` there are
  std::uint64_t missing_key = 0;              ///< the call whose key did not come, from 1; 0: none
  std::array<cuda::OutputDigest, kMostSealedCalls> digests{};
};

}  // namespace ridgeline::runner
