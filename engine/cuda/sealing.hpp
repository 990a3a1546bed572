// Seals memory of a device under a key, opens it again, and makes digests of all bits of memory. The judge
// seals the inputs of calls, a runner opens those of one call after the other, and both make digests of its
// outputs (docs/decisions/sealed-inputs.md).
//
// A seal is the exclusive or with the words of a keyed stream (core/draw_numbers.hpp): sealing twice under
// one key opens. A digest is a keyed tree of mixings that cannot be undone; its shape follows from the number
// of multiprocessors, so two processes on one device get the same. No cipher's strength is claimed for
// either.
#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ridgeline::cuda {

/// Memory of the device that is sealed, digested or read. The kernels lay it out in the same way.
struct DeviceRange {
  CUdeviceptr address = 0;  ///< a multiple of 16
  std::uint64_t bytes = 0;
};

/// Stands for all bits of some pieces, in their order, under a key. The kernels lay it out in the same way.
struct OutputDigest {
  std::array<std::uint64_t, 2> output{};
  std::uint64_t evicted = 0;  ///< of the memory that `evict` read since the digest before; 0 if it read none
  bool operator==(const OutputDigest&) const = default;
};

/// Where keys come from. All of it lies where the device reads and writes it; another process writes the
/// first two.
struct KeyPlaces {
  CUdeviceptr published = 0;  ///< how many keys there are
  CUdeviceptr keys = 0;
  CUdeviceptr missing = 0;  ///< set to call + 1 if the key of `call` does not come
};

inline constexpr std::uint64_t longest_key_wait = 2'000'000'000;  ///< nanoseconds

/// Compiles the kernels for compute capability `major`.`minor`. Throws as `compile` (nvrtc.hpp).
std::vector<char> compile_sealing(int major, int minor);

/// Launches the kernels on one stream, in the order of the calls. Only what says so waits. Every member but
/// the destructor throws MachineCannot where the driver refuses. One thread, one context.
class Sealing {
 public:
  /// `cubin`: of compile_sealing. `stream`: the caller's, which must outlive this; null: the legacy default.
  Sealing(std::span<const char> cubin, int device, CUstream stream);
  Sealing(const Sealing&) = delete;  // owns a module and memory
  Sealing& operator=(const Sealing&) = delete;
  ~Sealing();

  /// Copies pieces to the device, where they stay until the next call of this. Waits until the device has
  /// used those before.
  void upload(std::span<const DeviceRange> pieces);
  /// Sets the key of what follows.
  void set_key(std::uint64_t key);
  /// Sets the key of what follows to keys[call], once *published is above `call`. If that does not happen
  /// within `limit` nanoseconds, *missing is set and the context ends with an error.
  void await_key(const KeyPlaces& places, std::uint64_t call, std::uint64_t limit = longest_key_wait);
  /// Seals or opens `count` uploaded pieces from `first` on, where they lie.
  void toggle(std::size_t first, std::size_t count);
  /// Writes the uploaded piece `from`, sealed, to the uploaded piece `to`. Among the pieces that `toggle`
  /// opens together it is number `number`.
  void seal_piece(std::size_t from, std::size_t to, std::size_t number);
  /// Reads all of `memory`, so that the L2 keeps nothing of what it held before.
  void evict(CUdeviceptr memory, std::uint64_t bytes);
  /// Writes the digest of `count` uploaded pieces from `first` on to digests[call]. Then sets *written, which
  /// counts calls from 1. Both may be memory of the host.
  void digest(std::size_t first, std::size_t count, CUdeviceptr digests, CUdeviceptr written,
              std::uint64_t call);
  /// Does what a runner does around `calls` calls, but for the keys' way: opens inputs, reads `evicted` if it
  /// `evicts`, and makes digests of outputs. The pieces of a call lie one behind the other in the list,
  /// `opened` and then `digested` of them. `evicted` is read before, too. Returns the seconds a call on the
  /// device; a host that is late with launches does not lengthen them, or seldom. Waits.
  double overhead_a_call(std::size_t calls, std::size_t opened, std::size_t digested, DeviceRange evicted,
                         bool evicts);
  /// Returns the digest of `count` uploaded pieces from `first` on under `key`; of `evicted` too, unless it
  /// has no bytes. Waits.
  OutputDigest digest_now(std::size_t first, std::size_t count, std::uint64_t key, DeviceRange evicted = {});
  /// Waits until all of it is done.
  void wait();

 private:
  void launch(CUfunction function, unsigned blocks, unsigned threads, void** arguments);
  void launch_each_once();
  void toggle_into(std::size_t from, std::size_t to, std::size_t count, std::size_t number);
  void digest_here(std::size_t first, std::size_t count);

  CUstream stream_;
  CUmodule module_ = nullptr;
  CUfunction await_key_ = nullptr, seal_ = nullptr, evict_ = nullptr, digest_ = nullptr;
  std::array<CUevent, 2> events_{};
  CUdeviceptr scratch_ = 0, pieces_ = 0;
  std::size_t capacity_ = 0;  // pieces
  unsigned blocks_;
};

}  // namespace ridgeline::cuda
