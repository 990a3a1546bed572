// The port through which a runner reads the hardware's counters of its own process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::runner {

/// The word of the command line that names CUPTI's library.
inline constexpr std::string_view kCountersWord = "counters:";

/// Order of calls: `prepare` of each set, then passes of `open`, `begin` and `end` for each call, and
/// `close`; then `report`; then `begin_spans` and `end_spans` for each call. Every member throws an exception
/// that says why nothing is counted; the runner goes on and can still be called. One thread.
class Counting {
 public:
  virtual ~Counting() = default;

  /// Prepares to count what `sheet` asks for as set `set`. `sheet` is a memory file with a CounterSheet,
  /// which this keeps mapped. Comes before the candidate is loaded.
  virtual void prepare(std::uint32_t set, FileDescriptor sheet) = 0;
  /// Begins to observe a call that is not counted.
  virtual void begin_survey() = 0;
  /// Writes onto the set's sheet whether the observed call launched one kernel and nothing else.
  virtual void end_survey(std::uint32_t set) = 0;
  /// Begins the next pass of a set, or the first if the pass before was of another set.
  virtual void open(std::uint32_t set) = 0;
  /// Begins to count a call within a pass, as a whole or each launch by itself.
  virtual void begin(bool by_launch) = 0;
  /// Ends the call; the device has finished it.
  virtual void end(bool by_launch) = 0;
  /// Ends the pass.
  virtual void close() = 0;
  /// Writes the results onto the set's sheet after its last pass, and releases the counters, so that other
  /// processes may count. This process opens no pass any more; it may still record spans.
  virtual void report(std::uint32_t set) = 0;
  /// Empties the L2 as before a counted call, and begins to record how long kernels run on the device. Comes
  /// after the set's report: CUPTI does not record while it counts.
  virtual void begin_spans(std::uint32_t set) = 0;
  /// Ends the call, which the device has finished, and writes the sum of its kernels' spans onto the set's
  /// sheet. Throws if a kernel's span is not known.
  virtual void end_spans(std::uint32_t set) = 0;
};

/// Makes a counting by CUPTI on the current context. If `library` does not load, `prepare` throws why.
std::unique_ptr<Counting> make_cuda_counting(std::string_view library, int device);

}  // namespace ridgeline::runner
