// The reasons of verdicts in words, for prompts.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// A clause that continues "The kernel …": "crashed", "wrote wrong values".
std::string_view in_words(Reason reason);
/// What a pattern of wrong elements means, and what it usually comes from.
std::string_view in_words(Pattern pattern);
/// "standard inputs", "inputs with outliers", "edge values".
std::string_view in_words(InputSet input_set);

/// The stage's line for people; "" if it names a case that prompts must not name.
std::string safe_detail(const StageResult& stage, const Task& task);

}  // namespace ridgeline::prompts
