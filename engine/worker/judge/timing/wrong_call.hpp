// Finds timed calls whose outputs are wrong, each compared on its own inputs. It does not say whose fault
// that is: the timing stage does. One thread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/verifier/compare.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// A timed call that was wrong, compared in full.
struct WrongCall {
  verifier::Comparison compared;
  /// Its error is one of precision, in at most 1 % of the elements: among many inputs one showed a weak
  /// kernel, not a dishonest one.
  bool weak = false;
};

/// Compares timed calls and returns the first that is wrong. Shuffles `calls`. `in_full` of them are compared
/// against the tolerance of each element; if deriving that takes longer than long_expectation, against
/// tolerances that were derived for inputs of the same distribution. Many of the others get an output check
/// (output_check.hpp), and a full comparison if they fail it. Adds to `verified` the calls that were compared
/// or checked.
std::optional<WrongCall> find_wrong_call(PreparedTask& prepared, PreparedCase& prepared_case,
                                         std::vector<TimedCall>& calls, std::size_t in_full, int& verified);

}  // namespace ridgeline::judge
