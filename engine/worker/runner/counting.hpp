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
  /// Around a call that is not counted: whether it launches one kernel and no more, onto the sheet of a set.
  virtual void begin_survey() = 0;
  virtual void end_survey(std::uint32_t set) = 0;
  /// Begins a pass of a set: one more, or the first after another set.
  virtual void open(std::uint32_t set) = 0;
  /// Around what is counted, within a pass: as one whole, or each launch by itself.
  virtual void begin(bool by_launch) = 0;
  virtual void end(bool by_launch) = 0;
  /// All that was begun is over.
  virtual void close() = 0;
  /// After the last pass of a set: onto its sheet. Nothing more is counted by this process, and others may
  /// count.
  virtual void report(std::uint32_t set) = 0;
};

/// By CUPTI, on the context that is current. A library that does not load is told by `prepare`.
std::unique_ptr<Counting> make_cuda_counting(std::string_view library, int device);

}  // namespace ridgeline::runner
