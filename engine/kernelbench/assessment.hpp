// From what was measured to what it means: decisions without I/O.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/oracle/description.hpp"
#include "engine/oracle/facts.hpp"
#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::kernelbench {

enum class Standing {
  ok,
  degenerate,   ///< an answer that does not do the work passes KernelBench's rule
  broken,       ///< it does not run, or no answer can be told right
  does_not_fit  ///< this machine lacks the memory or the time
};
constexpr auto enum_names(Standing) {
  return std::to_array<Name<Standing>>({{Standing::ok, "ok"},
                                        {Standing::degenerate, "degenerate"},
                                        {Standing::broken, "broken"},
                                        {Standing::does_not_fit, "does_not_fit"}});
}

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

}  // namespace ridgeline::kernelbench
