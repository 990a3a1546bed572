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

/// Returns the source with a function `kernel_<task>` behind it. `source` must define ModelNew, whose
/// constructor takes no arguments; that is not checked here. The function's first call makes a ModelNew,
/// which lives on across calls. Each call gives it the inputs and scalars in the order of the parameters,
/// and copies what it returns into the outputs. Results of another number, shape or dtype raise. The copy is
/// part of the time.
std::string with_kernel_of_module(std::string_view source, const Task& task);

/// Returns the reference of a task without a module as a file in KernelBench's format: the text, a class
/// Model that calls it, get_inputs, get_init_inputs. Shapes and scalars are those of the first visible timed
/// case, else of the first visible one, else of the first. Values of input tensors mean nothing. The task
/// must have a case.
std::string kernelbench_file_text(const Task& task);

}  // namespace ridgeline::prompts
