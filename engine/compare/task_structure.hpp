// Counts how the reference of a task is built: KernelBench-X's structural proxies. Pure.
//
// Counted in the text, which is Python or TorchScript, so a loop's body counts once. Operators are
// arithmetic, comparing and bitwise signs, and calls behind a point (`torch.sum(x)`, `x.sum()`,
// `self.linear(x)`). A question for a shape or a number (`x.size(0)`) is none. Nor is a call of a function
// that the text defines: its body is counted, once. What makes a module or its inputs (`__init__`,
// `get_inputs`) is left out.
#pragma once

#include "engine/core/task.hpp"

namespace ridgeline::compare {

struct TaskStructure {
  int operators = 0;
  int reductions = 0;  ///< calls that sum or choose over an axis: sum, matmul (not the sign @), softmax, …
  int indexing = 0;    ///< calls that read or write where data says (gather, sort, …; not x[i]), and one for
                       ///< each output whose length depends on data
  int outputs = 0;     ///< tensors that the task writes
  int rank = 0;        ///< the most axes of a tensor that it reads or writes; a module's state is left out
};

TaskStructure structure_of(const Task& task);

}  // namespace ridgeline::compare
