// Reports which of torch's operators a module computes by, as its runner says: for readers and honest
// answers. An answer that wants to hide them can.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/fallback.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::judge {

/// Turns a runner's reply to Observe (runner/wire.hpp) into words: "mm, add_ (2 times)". Malformed lines are
/// left out.
std::string operators_in_words(std::string_view reply);

/// Applies the campaign's policy to a verdict whose correctness has passed. Does nothing if `operators` is
/// empty.
void judge_fallback(Fallback policy, const std::string& operators, Verdict& verdict);

}  // namespace ridgeline::judge
