#include "engine/worker/judge/sampling/honest_calls.hpp"

#include <algorithm>

namespace ridgeline::judge {

bool helped_more_than(const HonestCalls& honest, double in_batch, double apart) {
  constexpr double share = 1.1;
  const double longer = std::max(0.0, honest.apart - honest.in_batch);
  const double times = honest.in_batch > 0 ? std::max(1.0, honest.apart / honest.in_batch) : 1.0;
  return apart > share * in_batch * times && apart - longer > share * in_batch;
}

}  // namespace ridgeline::judge
