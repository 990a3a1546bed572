// Statistics of paired differences, one number a task. Pure arithmetic, deterministic: random draws have
// seeds that are fixed, so equal input gives equal figures on every machine.
#pragma once

#include <span>
#include <vector>

#include "engine/core/statistics.hpp"

namespace ridgeline::compare {

/// How often a bootstrap draws anew, and how many random assignments of signs a test tries.
inline constexpr int paired_resamples = 10'000;

/// Returns the bias-corrected and accelerated bootstrap interval (BCa, Efron 1987) of the mean of `values`
/// from `count` resamples.
/// No values give {0, 0}; values that are all equal give that value twice. With some five values or fewer it
/// is too narrow, as any bootstrap is: claim nothing from it alone.
Interval bca_interval_of_mean(std::span<const double> values, int count, double confidence);

/// The values of one cluster: of one task, say, whose seeds are no independent samples.
struct Cluster {
  double sum = 0;
  double count = 1;  ///< of its values; > 0
};

/// Returns the percentile bootstrap interval of the mean of all values (Efron 1979), drawing whole clusters
/// `count` times. No clusters give {0, 0}.
Interval clustered_interval(std::span<const Cluster> clusters, int count, double confidence);

/// Returns the two-sided p of the paired permutation test: how often the mean of `differences` is at least as
/// far from 0 if each of them has its sign by chance. Exact for up to 13 that are not 0; else of
/// `paired_resamples` random assignments, and never below 1 / (paired_resamples + 1). 1 if all are 0.
double sign_flip_p(std::span<const double> differences);

/// Returns the two-sided p of McNemar's test in its exact (binomial) form: of all tasks on which exactly one
/// of two is right, `first` and `second` are how many each has to itself. 1 if there are none.
double mcnemar_p(int first, int second);

/// Returns the values adjusted by Holm's method, in their order: each at most 0.05 where the hypothesis is
/// refuted at 5 % over all of them together.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace ridgeline::compare
