// The signature of a task's kernel. The stub in prompts, the trampoline in the build and the call in an
// interpreter all follow it.
//
// Order of arguments: every tensor in the order of `parameters` (inputs as pointers to const), the sizes as
// int64_t in the order of `Task::sizes`, the scalars in the order of `parameters`, `void* workspace` if the
// source defines `size_t kernel_<task>_workspace(sizes…)`, and `void* stream` (null on the CPU).
//
// A language of Python gets the same by position, as tensors of torch in their shapes, ints, floats and
// bools, and neither a workspace nor a stream: it launches on the current one. A complex tensor comes as its
// real view, with a last axis of 2, since no kernel takes pointers to complex numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline {

/// One argument of a kernel in C, as text.
struct Argument {
  std::string type;  ///< "const float*"
  std::string name;
  std::string note;  ///< "in [M, K]", "out [M, N]"
};

/// Returns "kernel_softmax".
std::string entry_point(const Task& task);
/// Returns "kernel_softmax_workspace".
std::string workspace_entry_point(const Task& task);

/// Returns the element type in C: `_Float16` (C++) or `__half` (CUDA) for float16, `uint16_t` (the upper half
/// of a float) or `__nv_bfloat16` for bfloat16, uint8_t for bool, the component type for complex.
std::string_view c_type(DType dtype, Language language);

/// Returns the arguments in the order of the call. For languages of the C family.
std::vector<Argument> kernel_arguments(const Task& task, Language language, bool with_workspace);

/// Returns the stub that models see: the declaration to implement, each argument on a line with shape and
/// role.
std::string kernel_stub(const Task& task, Language language);

/// Returns the name that an answer of that form must define: "kernel_softmax", or "ModelNew", or the name of
/// the function that answers to a task of functions define.
std::string entry_point(const Task& task, Form form);

}  // namespace ridgeline
