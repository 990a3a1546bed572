// Made-up runs of a reference, for testing the derivation of tolerances without a task.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "engine/verifier/responses.hpp"
#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {

/// The outputs of all runs: the oracle, the run in the task's dtype, and those on perturbed inputs.
struct SyntheticRuns {
  at::Tensor oracle, own;
  std::vector<at::Tensor> draws;
};

/// Returns a float64 matrix whose element i, in row-major order, is `value(i)`.
template <class Value>
at::Tensor filled(std::int64_t rows, std::int64_t columns, Value&& value) {
  auto t = at::empty({rows, columns}, at::TensorOptions().dtype(at::kDouble));
  for (std::int64_t i = 0; i < t.numel(); ++i) t.mutable_data_ptr<double>()[i] = value(i);
  return t;
}

/// Makes runs with everything that the derivation must recognize: cancellation, jumps, infinities, values
/// that overflow in the dtype.
inline SyntheticRuns make_difficult_runs(std::int64_t rows, std::int64_t columns, unsigned seed) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  const auto make = [&](auto&& value) { return filled(rows, columns, value); };
  SyntheticRuns made;
  made.oracle = make([&](auto i) {
    if (i % 97 == 5) return infinity;
    if (i % 97 == 6) return -infinity;
    if (i % 97 == 7) return std::nan("");
    if (i % 13 == 3) return 0.0;
    return normal(bits) * std::exp(4 * normal(bits));
  });
  const auto* y = static_cast<const double*>(made.oracle.const_data_ptr());
  made.own = make([&](auto i) {
    if (i % 89 == 3) return infinity;
    if (i % 83 == 4) return y[i] + 3;
    return y[i] * (1 + 1e-7 * normal(bits));
  });
  for (const double step : {first_step, second_step, first_step, first_step})
    made.draws.push_back(make([&](auto i) {
      if (i % 71 == 8) return 1.0;                               // an infinity that turned finite, or a jump
      if (i % 61 == 9) return y[i] + 1e3 * step * normal(bits);  // cancellation
      if (i % 59 == 2 && step == first_step) return y[i] + 5;    // a jump
      if (i % 53 == 1 && step == first_step) return infinity;
      return y[i] * (1 + step * normal(bits));
    }));
  return made;
}

/// Makes runs of a smooth, finite function, as most outputs are.
inline SyntheticRuns make_ordinary_runs(std::int64_t rows, std::int64_t columns, unsigned seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  const auto make = [&](auto&& value) { return filled(rows, columns, value); };
  SyntheticRuns made;
  const auto is_tiny = [](auto i) { return i % 29 == 5; };  // far below what float64 resolves
  made.oracle = make([&](auto i) {
    if (i % 13 == 3) return 0.0;
    return is_tiny(i) ? 1e-30 : normal(bits) * std::exp(normal(bits));
  });
  const auto* y = static_cast<const double*>(made.oracle.const_data_ptr());
  made.own = make([&](auto i) { return y[i] + 1e-7 * normal(bits); });
  for (const double step : {first_step, second_step, first_step, first_step})
    made.draws.push_back(make([&](auto i) {
      const double moved = y[i] + (1 + std::fabs(y[i])) * step * normal(bits);
      if (i % 26 == 3) return 0.0;  // a zero that nothing moves
      return is_tiny(i) ? y[i] * (1 + step) : moved;
    }));
  return made;
}

/// Collects the responses of `made`; from `many` elements on they are kept in float32.
inline Responses responses_of(const SyntheticRuns& made, std::int64_t many = std::int64_t{1} << 27) {
  Responses responses(made.oracle, many);
  for (std::size_t i = 0; i < made.draws.size(); ++i) responses.add(made.draws[i], i);
  return responses;
}

}  // namespace ridgeline::verifier
