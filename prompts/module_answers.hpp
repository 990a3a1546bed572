// Lets a class in the style of KernelBench answer a native task in a language of Python: models that were
// tuned on modules (KernelLLM) write nothing else. Text to text.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::prompts {

/// Whether the task's kernel is a Python function, in whose place an answer may define a class ModelNew.
bool module_may_answer(const Task& task, Language language);

/// Returns the source with a function `kernel_<task>` behind it, which makes a ModelNew once, calls it with
/// the inputs and scalars in the order of the parameters, and copies what it returns into the outputs.
/// Results of another number, shape or dtype raise. The copy is part of the time.
std::string with_kernel_of_module(std::string_view source, const Task& task);

/// Returns the reference as a file in KernelBench's format: the text, a class Model that calls it, get_inputs
/// in the shapes of a visible case (its numbers mean nothing), get_init_inputs.
std::string model_text(const Task& task);

}  // namespace ridgeline::prompts
