// The C signature of a task's kernel, in one place for the stub in prompts and the trampoline in the build.
//
// Order of arguments: every tensor in the order of `parameters` (inputs as pointers to const), the sizes as
// int64_t in the order of `Task::sizes`, the scalars in the order of `parameters`, `void* workspace` if the
// source defines `size_t kernel_<task>_workspace(sizes…)`, and `void* stream` (null on the CPU).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"

namespace ridgeline {

struct Argument {
  std::string type;  ///< "const float*"
  std::string name;
  std::string note;  ///< "in [M, K]", "out [M, N]"
};

/// "kernel_softmax".
std::string entry_point(const Task& task);
/// "kernel_softmax_workspace".
std::string workspace_entry_point(const Task& task);

/// The element type in C: `_Float16` (C++) or `__half` (CUDA) for float16, `uint16_t` (the upper half of a
/// float) or `__nv_bfloat16` for bfloat16, uint8_t for bool, the component type for complex.
std::string_view c_type(DType dtype, Language language);

std::vector<Argument> kernel_arguments(const Task& task, Language language, bool with_workspace);

/// The stub shown to models: the declaration to implement, an argument a line with shape and role.
std::string kernel_stub(const Task& task, Language language);

}  // namespace ridgeline
