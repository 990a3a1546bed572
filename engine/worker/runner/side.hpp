// The port for where a runner's candidate computes: the CPU or a GPU. They differ in how shared memory is
// mapped, where scratch memory comes from, and when a batch of calls is over. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace ridgeline::runner {

class Side {
 public:
  virtual ~Side() = default;

  /// Maps the descriptors at `place` (below kMaxMappings) instead of what was mapped there, and uses them.
  /// Closes the descriptors. Returns false if one cannot be mapped.
  virtual bool map(std::size_t place, std::span<int> descriptors, std::span<const std::uint64_t> bytes) = 0;
  /// Uses the memory that is mapped at `place`.
  virtual void use(std::size_t place) = 0;
  virtual void unmap_all() = 0;

  // The memory that is used: how many pieces, where each begins, and how long it is. Arguments may share a
  // piece. On a GPU, addresses here and of `make_workspace` are the device's.
  virtual std::size_t count() const = 0;
  virtual std::byte* base(std::size_t piece) const = 0;
  virtual std::size_t bytes(std::size_t piece) const = 0;

  /// Makes scratch for the candidate and frees what it had. Returns null for 0 bytes, and if there is not
  /// that much memory.
  virtual void* make_workspace(std::size_t bytes) = 0;

  /// Prepares a batch, before its first call.
  virtual void begin() {}
  /// Lets what is begun from now on wait, on the device, for all that was begun before, on whatever stream.
  /// (With a driver older than CUDA 12.5 the host waits instead.) Returns 0, or an error code with its text.
  /// Nothing to do where calls end before they return.
  virtual int separate(std::string&) { return 0; }
  /// Waits until the device has done all that the calls began. Returns 0, or an error code with its text.
  virtual int finish(std::string&) { return 0; }
  /// Returns the seconds that the device measured between `begin` and `finish`; 0 if it measures none.
  virtual double device_seconds() { return 0; }
};

/// Makes the side of the CPU.
std::unique_ptr<Side> make_host_side();

/// Makes the side of CUDA device `index`, whose primary context it holds. Throws MachineCannot.
std::unique_ptr<Side> make_cuda_side(int index);

}  // namespace ridgeline::runner
