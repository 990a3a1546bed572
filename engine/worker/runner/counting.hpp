// What a runner needs to have its calls counted: the hardware's counters of this process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::runner {

/// The word of the command line that names CUPTI's library.
inline constexpr std::string_view kCountersWord = "counters:";

/// Every member throws an exception that says why nothing is counted; the runner goes on and can still be
/// called.
class Counting {
 public:
  virtual ~Counting() = default;

  /// Before the candidate is loaded. `sheet`: a memory file with a CounterSheet, kept.
  virtual void prepare(std::uint32_t set, FileDescriptor sheet) = 0;
  /// Around calls, or around nothing; `how` has the bits of Count (wire.hpp). All that was begun is over when it
  /// ends.
  virtual void begin(std::uint32_t set, std::uint32_t how) = 0;
  virtual void end(std::uint32_t how) = 0;
  /// After the last pass of a set: onto its sheet.
  virtual void report(std::uint32_t set) = 0;
};

/// By CUPTI, on the context that is current. A library that does not load is told by `prepare`.
std::unique_ptr<Counting> make_cuda_counting(std::string_view library, int device);

}  // namespace ridgeline::runner
