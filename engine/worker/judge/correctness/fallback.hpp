// Reports which of torch's operators an answer in Python calls in place of kernels of its own, and applies
// the campaign's policy to that.
//
// The runner, the process that executes the answer, lists the operators of one call. The answer runs in that
// process and could falsify the list. So the report helps readers and honest answers; it stops no cheat.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/fallback.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::judge {

/// Turns the text of a runner's reply to the message Observe (runner/wire.hpp) into words: "mm 1\nadd_ 2"
/// becomes "mm, add_ (2 times)". Leaves out malformed lines. Names at most 12 operators and counts the rest
/// ("… and 3 more"). Returns "" if there is none.
std::string operators_in_words(std::string_view reply);

/// Applies the campaign's policy to a verdict whose correctness stage has passed. `operators`: as
/// operators_in_words returns them; if empty, nothing changes. `allow` adds a note, `flag` adds a flag, and
/// `reject` fails the correctness stage with the reason falls_back.
void judge_fallback(FallbackPolicy policy, const std::string& operators, Verdict& verdict);

}  // namespace ridgeline::judge
