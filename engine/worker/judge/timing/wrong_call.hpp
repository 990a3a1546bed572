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
  bool weak = false;  ///< see is_weak
};

/// Says whether a wrong output shows a weak kernel, not a dishonest one: its error is one of precision, in at
/// most 1 % of the elements; or in a single element of fewer than a hundred, by at most four tolerances.
/// Roundings of a right formula lie far within one tolerance, so a lone number beyond four of them was
/// computed by less work. In a large output some element in many calls may well be far off.
bool is_weak(const verifier::Comparison& compared);

/// Says whether at most half of the output's elements are wrong, as a race leaves it. What another call
/// computed, or nothing at all, is wrong throughout.
bool is_partly_wrong(const verifier::Comparison& compared);

/// Compares timed calls and returns the first that is wrong. Shuffles `calls`. `in_full` of them are compared
/// against the tolerance of each element; if deriving that takes longer than long_expectation, against
/// tolerances that were derived for inputs of the same distribution. Of a random task, what such a call drew
/// must also be independent of what up to three other kept calls drew under other seeds. Many of the
/// remaining calls get an output check (output_check.hpp), and a full comparison if they fail it. None does
/// if the task is random, an expectation takes longer than long_expectation, and a call was compared in full.
/// Adds to `verified` the calls that were compared or checked.
std::optional<WrongCall> find_wrong_call(PreparedTask& prepared, PreparedCase& prepared_case,
                                         std::vector<TimedCall>& calls, std::size_t in_full, int& verified);

/// Does so with the calls that `slots` remembers, and then with those whose inputs were sealed: one of them
/// in full, unless `in_full` is 0.
std::optional<WrongCall> find_wrong_call(PreparedTask& prepared, PreparedCase& prepared_case,
                                         TimedSlots& slots, std::size_t in_full, int& verified);

}  // namespace ridgeline::judge
