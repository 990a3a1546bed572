#include "engine/worker/judge/sampling/reference_times.hpp"

#include <algorithm>

namespace ridgeline::judge {

bool slows_apart_more_than_reference(const ReferenceTimes& reference, double in_batch, double apart) {
  constexpr double share = 1.1;
  const double longer = std::max(0.0, reference.apart - reference.in_batch);
  const double times = reference.in_batch > 0 ? std::max(1.0, reference.apart / reference.in_batch) : 1.0;
  return apart > share * in_batch * times && apart - longer > share * in_batch;
}

}  // namespace ridgeline::judge
