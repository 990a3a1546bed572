// Judges kernels in Triton for native tasks by the shipped programs: the honest kernels of
// tests/benchmark_tasks/kernels, and the misbehaving kernels of tests/testcases/triton, whose headers name
// the expected verdict.
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
  std::string folder = "honest";   // of tests/testcases/triton: "wrong", …
};

/// Returns the honest kernels called `names`, or all if `names` is empty, sorted by name.
std::vector<TritonKernel> honest_triton_kernels(const std::set<std::string>& names = {});
/// Returns all of tests/testcases/triton, its honest/ included. Throws if a header lacks what it must have.
std::vector<TritonKernel> misbehaving_triton_kernels();

/// Returns the fenced blocks of Python in a file of the repository, in order.
std::vector<std::string> python_blocks(const std::string& file);

/// Judges the kernels on the backend; the ids are their names. Computing by torch's operators is refused.
Batch judged_on(const std::vector<TritonKernel>& kernels, const std::string& backend,
                std::vector<std::string> more = {});

/// Returns "passed", "correctness wrong_values", …
std::string outcome_of(const Batch& batch, const std::string& name);

/// Expects of each kernel one of its expected outcomes.
void expect_outcomes(const std::vector<TritonKernel>& kernels, const Batch& batch);

}  // namespace ridgeline::cli
