// Counts how the reference of a task is built: KernelBench-X's structural proxies. Pure.
//
// Counted in the text, which is Python or TorchScript, so a loop's body counts once. Calls of the methods and
// functions of a framework (`torch.sum(x)`, `x.sum()`) and arithmetic, comparing and bitwise operators are
// operators; questions for a shape or a number (`x.size(0)`, `len(x)`) and calls of the text's own functions
// are not, whose bodies are.
#pragma once

#include "engine/core/task.hpp"

namespace ridgeline::compare {

struct TaskStructure {
  int operators = 0;
  int reductions = 0;  ///< operators that sum or choose over an axis: sums, products of matrices, softmax, …
  int indexing = 0;    ///< operators that read or write where data says: gather, sort, masked_select, …
  int outputs = 0;     ///< tensors that the task writes
  int rank = 0;        ///< the most axes of a tensor that it reads or writes
};

TaskStructure structure_of(const Task& task);

}  // namespace ridgeline::compare
