// Tests whether the elements of random outputs are independent of each other, within a call and between calls
// whose seeds differ. randomness.hpp tests the distribution of a single output. Plain numbers, no tensors.
//
// Three tests, each with its chance to refuse an honest output:
//
// - Repeated stretches (repeats.hpp), within a call and between any two calls. What the task itself repeats,
//   draws repeat too: then twice as much is granted.
// - Correlation at every lag. An element's score is the mean sign of f(element) - f(draw), over draws of the
//   reference for the same place, where f is the value, its size, or its distance from the mean. An honest
//   element and the draws can be exchanged, so its score lies in [-1, 1] around exactly 0, whatever the
//   distribution, and those of different elements are independent. The sum S of products of scores that lie a
//   lag apart then is a martingale: by Hoeffding's lemma and Ville's inequality, for any x > 0, S reaches
//   V x / 2 + log(1 / a) / x with a chance below a, where V is the sum of one factor's squares. The limit
//   tries the x that are powers of two, with a = p / (40 * 2 * lags). Where elements depend on each other by
//   the task itself (one mask for a row), draws show the same sums, and twice what they show is granted.
// - Equal pairs of values. Values of a coarse grid meet too often, and those of a permutation (the bits of a
//   linear congruential generator) never. Honest are up to eight times as many pairs as draws have, and as
//   many as 2^20 equally likely values give, since kernels may round; and no fewer than half, since
//   those of all floats are two thirds of those of a grid of 2^24. The
//   count's distance to these is held against Bernstein's inequality and the Poisson distribution. Draws
//   with more pairs than 2^16 values would give say nothing, and are not tested.
//
// So each test refuses an honest output with a chance below `p_value`, at any length. A verdict compares at
// most 1,000 outputs (five cases in three sets, and at most 96 timed calls of a case under each clock). An
// output meets 13 tests: eight of randomness.hpp, whose tails are asymptotic, three lag correlations, two of
// the others. Each case adds at most 39 calls with other seeds, 119 tests, and six pairs of timed calls under
// each clock, 3 tests each. That is below 1.4e4 tests, and at the default p_value of 1e-14 below 1.4e-10 for
// a verdict. The tails that are asymptotic are the reason for what is left to 1e-9.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/dtype.hpp"
#include "engine/verifier/draw_rows.hpp"
#include "engine/verifier/randomness.hpp"

namespace ridgeline::verifier {

/// One output of a random task, in one call or in several whose seeds differ.
struct RandomCalls {
  std::vector<std::span<const double>> outputs;  ///< one a call, of equal lengths; not empty
  DrawRows draws;                ///< at least 8 of an output's length, for the first call's inputs
  DType dtype = DType::float32;  ///< what the values were rounded to
  bool same_inputs = true;       ///< whether the calls' inputs are the same but for the seed
};

/// Tests the elements of the first call against each other.
RandomFinding check_independence(const RandomCalls& calls, double p_value);

/// Tests the calls against each other; their seeds differ. Where other inputs differ too, two calls are
/// tested for correlation alone: the first's scores are around 0 whatever the second gave, but how often
/// values and stretches repeat depends on the second's own inputs.
RandomFinding check_calls_independent(const RandomCalls& calls, double p_value);

}  // namespace ridgeline::verifier
