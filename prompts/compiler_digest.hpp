// Describes a failed build: the compiler's errors first, each with the source line that it names.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// `source` is the candidate's, for lines that the compiler did not quote.
std::string compiler_digest(const Verdict& verdict, const Task& task, std::string_view source, int tokens);

}  // namespace ridgeline::prompts
