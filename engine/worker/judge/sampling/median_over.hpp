#pragma once

#include <utility>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"

namespace ridgeline::judge {

/// Returns the median of `value(pair)`, a double, over all pairs; 0 if there are none.
template <class Value>
double median_over(const std::vector<BatchPair>& pairs, Value&& value) {
  std::vector<double> values;
  values.reserve(pairs.size());
  for (const auto& pair : pairs) values.push_back(value(pair));
  return median(std::move(values));
}

}  // namespace ridgeline::judge
