// A failed build in words: the compiler's errors first, each with the source line it names.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

std::string compiler_digest(const Verdict& verdict, const Task& task, std::string_view source, int tokens);

}  // namespace ridgeline::prompts
