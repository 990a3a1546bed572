// A task in words. Hidden and final cases never occur in it: a prompt must not name what the gate keeps
// secret.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// True for a case that prompts may name: neither hidden nor final, and known.
bool is_visible(const Task& task, const std::string& case_name);

/// "`ragged` (M = 37, N = 129)"; "an unseen case" where it is not visible.
std::string case_text(const Task& task, const std::string& case_name);

std::string cases_text(const Task& task);
std::string inputs_text(const Task& task);
std::string contract_text(const Task& task);
/// The two declarations of a kernel with scratch memory.
std::string workspace_text(const Task& task, Language language);

}  // namespace ridgeline::prompts
