// Whether calls that were timed are also right, each on its own inputs. Decides nothing: a candidate's fault,
// or a weak kernel's, is for whoever timed it to tell.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/verifier/compare.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

struct WrongCall {
  verifier::Comparison compared;  ///< in full
  /// Barely beyond the tolerance, in a few elements: one of many inputs has found a weak kernel, not a false
  /// one.
  bool weak = false;
};

/// Shuffles `calls`. `in_full` of them are held against the tolerance of each element; where deriving that
/// takes longer than long_expectation, against tolerances that inputs drawn alike were given. Of the others
/// many are held against a single run of the reference (screening.hpp). What looks odd either way is compared
/// in full before it is told. `verified` is raised by the calls that were looked at.
std::optional<WrongCall> find_wrong(PreparedTask& prepared, PreparedCase& one, std::vector<TimedCall>& calls,
                                    std::size_t in_full, int& verified);

}  // namespace ridgeline::judge
