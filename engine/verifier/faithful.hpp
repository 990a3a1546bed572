// Applies a public suite's own rule to the same outputs: the column `faithful`, beside our own verdict.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/core/task.hpp"
#include "engine/verifier/expected.hpp"

namespace ridgeline::verifier {

/// Says whether `got`, all outputs of one call, is right by the rule of the suite that the task comes from. A
/// data-dependent output is compared in the rows that the reference counted. `own` below is the reference's
/// output, computed in the task's own dtypes (Expected::own); the dtype that selects a limit is the output's.
///
/// KernelBench-X and native tasks: |got - own| <= a + a |own| with a = 5e-3 for float16 and bfloat16, and
/// 1e-5 for float32 and float64; integers, bools and complex numbers must be equal; NaN equals NaN. Quantized
/// tasks compare with the unquantized result: cosine >= 0.95, relative L1 <= 0.05 and RMSE <= 0.10 (0.90,
/// 0.10, 0.15 if the task's name contains "attention" or "w4a16"). Statistical tasks: that suite compares a
/// random stream, which no other implementation can reproduce; here every value must be finite wherever the
/// reference's are.
///
/// KernelBench (a task with `module`): |got - own| <= a + a |got| with a = 1e-2 for float16 and bfloat16,
/// otherwise 1e-4, integers included. The dtype is that in which the task is posed, if it is posed in one.
/// Outputs of 16 bits are compared in their own arithmetic, as there. NaN equals nothing (torch.allclose in
/// src/kernelbench/eval.py of ScalingIntelligence/KernelBench at 423217d). Complex numbers must be equal.
/// That suite checks five draws of inputs; the caller calls once for each.
bool faithful_correct(const Task& task, const Expected& expected, const std::vector<at::Tensor>& got);

}  // namespace ridgeline::verifier
