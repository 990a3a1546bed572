// Describes a task. Hidden and final cases never occur in the text: a prompt must not name what the gate
// keeps secret.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// Whether prompts may name the case: it is known, and neither hidden nor final.
bool is_visible(const Task& task, const std::string& case_name);

/// Returns "`ragged` (M = 37, N = 129)"; "an unseen case" if it is not visible.
std::string case_text(const Task& task, const std::string& case_name);

/// Lists the visible cases with their sizes.
std::string cases_text(const Task& task);
/// Returns the reference as models see it. Of a task of functions that is the function's own file for answers
/// of form `module`, and this with its adapter for kernels: how inputs are drawn is said by inputs_text.
std::string_view reference_text(const Task& task, Form form);
/// Says in which precision and with which smaller shapes a module's file is posed; "" if as it stands there.
std::string posing_text(const Task& task, Form form);
/// Returns the calls that a task of functions makes (Module::adapter), below comments with the tensors'
/// dtypes and shapes.
std::string calls_text(const Task& task);
/// Says how each input is drawn.
std::string inputs_text(const Task& task);
/// Says what counts as right.
std::string contract_text(const Task& task);
/// Returns the two declarations of a kernel with scratch memory, in C.
std::string workspace_text(const Task& task, Language language);

}  // namespace ridgeline::prompts
