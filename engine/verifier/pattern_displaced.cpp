// Recognizes right values in wrong places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/verifier/pattern.hpp"

namespace ridgeline::verifier {
namespace {

/// Whether 95 % of the elements hold the value that is expected at `source(i)` (negative: no such element).
/// A sample is tried first, so that a wrong guess costs little.
template <class Source>
bool comes_from(const Field& f, Source source) {
  const auto agrees = [&](std::int64_t step) {
    std::int64_t seen = 0, right = 0;
    for (std::int64_t i = 0; i < f.size(); i += step) {
      const auto from = source(i);
      if (from < 0) continue;
      ++seen;
      if (f.is_right(f.got[static_cast<std::size_t>(i)], static_cast<std::size_t>(from))) ++right;
    }
    return seen > 0 && static_cast<double>(right) >= 0.95 * static_cast<double>(seen);
  };
  const auto step = std::max<std::int64_t>(1, f.size() / 509);
  return agrees(step) && (step == 1 || agrees(1));
}

/// Whether most neighbours differ; otherwise every displacement would fit.
bool is_varied(const Field& f) {
  std::int64_t equal = 0;
  for (std::int64_t i = 1; i < f.size(); ++i)
    if (f.is_right(f.expected[static_cast<std::size_t>(i - 1)], static_cast<std::size_t>(i))) ++equal;
  return 2 * equal < f.size();
}

/// Returns the indices of the values in ascending order of the values.
std::vector<std::size_t> order_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t at) { return values[at]; });
  return order;
}

/// Whether the sums are equal, which costs less than to sort. False if a number is infinite or NaN.
bool sums_agree(const Field& f) {
  double apart = 0, allowed = 0;
  for (std::size_t i = 0; i < f.got.size(); ++i) {
    apart += f.got[i] - f.expected[i];
    allowed += f.tolerance[i];
  }
  return std::fabs(apart) <= allowed;
}

/// Whether numbers of the same distribution, drawn anew and sorted, would be further from the expected ones
/// than is allowed. The k-th of n varies by about a standard deviation over the square root of n.
bool order_tells_draws_apart(const Field& f) {
  const auto n = static_cast<double>(f.size());
  const double mean = std::accumulate(f.expected.begin(), f.expected.end(), 0.0) / n;
  double squares = 0, allowed = 0;
  for (std::size_t i = 0; i < f.expected.size(); ++i) {
    squares += (f.expected[i] - mean) * (f.expected[i] - mean);
    allowed += f.tolerance[i];
  }
  return std::sqrt(squares / n) / std::sqrt(n) > 4 * allowed / n;
}

}  // namespace

std::optional<Finding> find_shifted(const Field& f) {
  // Fewer than a quarter wrong is no displacement: values that vary would be wrong nearly everywhere.
  if (f.columns < 4 || 4 * f.count_wrong() < f.size() || !is_varied(f)) return std::nullopt;
  const auto fits = [&](std::int64_t by) {
    return comes_from(f, [&](std::int64_t i) {
      const auto column = i % f.columns - by;
      return column < 0 || column >= f.columns ? -1 : i - by;
    });
  };
  // Small distances are off-by-one bugs; beyond 16 only powers of two, as tiles have.
  for (std::int64_t distance = 1; distance <= f.columns / 2;
       distance = distance < 16 ? distance + 1 : distance * 2)
    for (const auto by : {distance, -distance})
      if (fits(by))
        return Finding{Pattern::shifted, fmt::format("the right values, {} to the {} along the last axis",
                                                     distance, by > 0 ? "right" : "left")};
  return std::nullopt;
}

std::optional<Finding> find_transposed(const Field& f) {
  if (f.height < 2 || f.columns < 2 || !is_varied(f)) return std::nullopt;
  const auto matrix = f.height * f.columns;
  // A kernel that swaps the axes writes the matrix in column-major order.
  const bool fits = comes_from(f, [&](std::int64_t i) {
    const auto in = i % matrix;
    return i - in + (in % f.height) * f.columns + in / f.height;
  });
  if (!fits) return std::nullopt;
  return Finding{Pattern::transposed,
                 fmt::format("the last two axes ({} by {}) are swapped", f.height, f.columns)};
}

std::optional<Finding> find_permuted(const Field& f) {
  if (f.size() < 4 || !is_varied(f) || !sums_agree(f) || !order_tells_draws_apart(f)) return std::nullopt;
  const auto got = order_of(f.got), expected = order_of(f.expected);
  for (std::size_t k = 0; k < got.size(); ++k)
    if (!f.is_right(f.got[got[k]], expected[k])) return std::nullopt;
  return Finding{Pattern::permuted,
                 fmt::format("the right values, {} of {} in wrong places", f.count_wrong(), f.size())};
}

}  // namespace ridgeline::verifier
