// Says the reasons of verdicts in words, for prompts.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Returns a clause that continues "The kernel …": "crashed", "wrote wrong values".
std::string_view in_words(Reason reason);
/// Returns the meaning of a pattern of wrong elements, and its usual cause.
std::string_view in_words(Pattern pattern);
/// Returns "standard inputs", "inputs with outliers", "edge values".
std::string_view in_words(InputSet input_set);

/// Returns the stage's detail; "" if it names a case that prompts must not name.
std::string safe_detail(const StageResult& stage, const Task& task);

}  // namespace ridgeline::prompts
