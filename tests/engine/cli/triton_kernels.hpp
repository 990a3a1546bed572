// Kernels in triton for native tasks, judged by the shipped programs: the honest ones of
// tests/benchmark_tasks/kernels, and those of tests/testcases/triton with the verdict that each header
// expects.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/engine/cli/batch.hpp"

namespace ridgeline::cli {

struct TritonKernel {
  std::string name;
  std::string task;  // of the native suite
  std::string source;
  std::set<std::string> expected;  // "passed", or "stage reason"
};

/// By name; those named, or all where `names` is empty.
std::vector<TritonKernel> honest_triton_kernels(const std::set<std::string>& names = {});
/// Throws where a header lacks what it must have.
std::vector<TritonKernel> misbehaving_triton_kernels();

/// The fenced blocks of Python in a file of the repository, in order.
std::vector<std::string> python_blocks(const std::string& file);

/// Judges them on the backend, each answered as its name. Computing by torch's operators is refused.
Batch judged_on(const std::vector<TritonKernel>& kernels, const std::string& backend,
                std::vector<std::string> more = {});

/// "passed", "correctness wrong_values", …
std::string outcome_of(const Batch& batch, const std::string& name);

/// Each of them has one of the outcomes that it is expected to have.
void expect_outcomes(const std::vector<TritonKernel>& kernels, const Batch& batch);

}  // namespace ridgeline::cli
