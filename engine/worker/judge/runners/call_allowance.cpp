#include "engine/worker/judge/runners/call_allowance.hpp"

#include <algorithm>

#include "engine/worker/judge/runners/runner_limits.hpp"

namespace ridgeline::judge {

void CallAllowance::spend(double seconds, double limit) {
  left_ = std::max(0.0, left_ - std::max(0.0, seconds - limit));
}

CallAllowance allowance_for(bool interpreter, bool compiles) {
  if (compiles) return CallAllowance(runner_limits::compile);
  return CallAllowance(interpreter ? runner_limits::lazy_imports : 0);
}

}  // namespace ridgeline::judge
