// Decides what the oracle's facts about a task file mean for judging it. No I/O.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/standing.hpp"
#include "engine/oracle/description.hpp"
#include "engine/oracle/facts.hpp"
#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::suites::modules {

using ridgeline::Standing;

/// A task's standing and why.
struct Assessment {
  Standing standing = Standing::ok;
  std::string reason;              ///< "" for ok
  std::vector<std::string> notes;  ///< facts worth knowing that speak not against the task
};

/// Whose evaluator users compare results with.
enum class Evaluator {
  kernelbench,  ///< notes say what KernelBench's does otherwise
  another
};

/// Judges the trials of a task, or their failure.
Assessment assess(const oracle::CheckFacts& facts, Evaluator evaluator = Evaluator::kernelbench);
Assessment assess(const oracle::OracleFailure& failure);

/// Returns the most bytes that the trials hold at once: two models, one draw, the outputs of two draws and
/// one forward's own.
std::uint64_t trial_bytes(const oracle::TaskBytes& bytes);

/// Returns the most bytes if float64 is run beside them.
std::uint64_t float64_bytes(const oracle::TaskBytes& bytes);

/// Returns "6.2 GiB".
std::string byte_text(std::uint64_t bytes);

}  // namespace ridgeline::suites::modules
