// Where a runner's candidate computes: the CPU, or a GPU. What differs is how shared memory is mapped, where
// scratch memory comes from, and when a batch of calls is over.
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

  /// Takes the descriptors over, in place of what was mapped at `place` (below kMaxMappings), and uses them;
  /// false if one cannot be mapped.
  virtual bool map(std::size_t place, std::span<int> descriptors, std::span<const std::uint64_t> bytes) = 0;
  /// Uses what is mapped there.
  virtual void use(std::size_t place) = 0;
  virtual void unmap_all() = 0;

  // Of what is used.
  virtual std::size_t count() const = 0;
  virtual std::byte* base(std::size_t argument) const = 0;
  virtual std::size_t bytes(std::size_t argument) const = 0;

  /// Scratch for the candidate in place of what it had; null for 0 bytes, and where there is not that much.
  virtual void* make_workspace(std::size_t bytes) = 0;

  /// Before the first call of a batch.
  virtual void begin() {}
  /// Waits until all is done that the calls began. 0, or an error code with its text.
  virtual int finish(std::string&) { return 0; }
  /// Whether the next order should be looked for awake, once an empty batch has announced it.
  virtual bool stays_awake() const { return false; }
  /// Seconds that the device itself counted between `begin` and `finish`; 0 where it does not count.
  virtual double device_seconds() { return 0; }
};

std::unique_ptr<Side> make_host_side();

/// Holds the primary context of CUDA device `index`. Throws MachineCannot.
std::unique_ptr<Side> make_cuda_side(int index);

}  // namespace ridgeline::runner
