// Names what can happen to a numerically correct answer that calls PyTorch's own operators, although kernels
// were asked for.
#pragma once

#include "engine/core/names.hpp"

namespace ridgeline {

/// Says what the judge makes of such an answer. `worker.fallback` of a campaign file chooses it (`allow`
/// without that key), and judge_fallback (correctness/fallback.hpp) applies it.
enum class FallbackPolicy {
  allow,   ///< the answer stays correct; a note in its verdict names the operators
  flag,    ///< the answer stays correct, but comparisons leave its times out unless they include flagged ones
  reject,  ///< the correctness stage fails, with the reason falls_back: the answer counts as not correct
};
constexpr auto enum_names(FallbackPolicy) {
  return std::to_array<Name<FallbackPolicy>>(
      {{FallbackPolicy::allow, "allow"}, {FallbackPolicy::flag, "flag"}, {FallbackPolicy::reject, "reject"}});
}

}  // namespace ridgeline
