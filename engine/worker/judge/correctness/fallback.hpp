// Which of torch's operators a module computes by, as its runner tells it: for readers and honest answers.
// One that wants to hide them can.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/fallback.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::judge {

/// A runner's reply to Observe (runner/wire.hpp), for people: "mm, add_ (2 times)". What is no such line is
/// left out.
std::string operators_in_words(std::string_view told);

/// Into a verdict whose correctness has passed. Nothing where `operators` is empty.
void judge_fallback(Fallback policy, const std::string& operators, Verdict& verdict);

}  // namespace ridgeline::judge
