// From what was measured to what it means: decisions without I/O.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/standing.hpp"
#include "engine/oracle/description.hpp"
#include "engine/oracle/facts.hpp"
#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::suites::kernelbench {

using ridgeline::Standing;

struct Assessment {
  Standing standing = Standing::ok;
  std::string reason;              ///< "" for ok
  std::vector<std::string> notes;  ///< worth knowing, and no reason against the task
};

Assessment assess(const oracle::CheckFacts& facts);
Assessment assess(const oracle::OracleFailure& failure);

/// Bytes that the trials hold at the most: two models, one draw, the outputs of two draws and one forward's
/// own.
std::uint64_t trial_bytes(const oracle::TaskBytes& bytes);

/// The same while float64 is run beside them.
std::uint64_t float64_bytes(const oracle::TaskBytes& bytes);

/// "6.2 GiB"
std::string byte_text(std::uint64_t bytes);

}  // namespace ridgeline::suites::kernelbench
