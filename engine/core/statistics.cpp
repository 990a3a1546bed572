#include "engine/core/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace ridgeline {

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= values.size()) return values.back();
  const double share = at - static_cast<double>(below);
  return values[below] + share * (values[below + 1] - values[below]);
}

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

double mean(std::span<const double> values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double geometric_mean(std::span<const double> values) {
  double sum = 0;
  std::size_t count = 0;
  for (const double value : values) {
    if (value <= 0) continue;
    sum += std::log(value);
    ++count;
  }
  return count == 0 ? 0 : std::exp(sum / static_cast<double>(count));
}

bool has_median_interval(std::size_t values, double confidence) {
  // The range misses the median if all values lie on one side of it.
  return 2 * std::pow(0.5, static_cast<double>(values)) <= 1 - confidence;
}

Interval median_interval(std::vector<double> values, double confidence) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto n = values.size();
  // No two order statistics of fewer than six values enclose the median with 95 %: 2 * 0.5^5 > 0.05.
  if (!has_median_interval(n, confidence)) return {values.front(), values.back()};
  // The median lies between order statistics k and n-1-k but for twice the chance that at most k of n fall
  // below it. `below` is Bin(n, 1/2): the chance of at most `next` values below. Each term is kept as a
  // logarithm: 0.5^1075 is 0 in a double, and a product that begins with it would stay 0 and never end.
  std::size_t index = 0;
  double log_each = static_cast<double>(n) * std::log(0.5);
  double below = std::exp(log_each);
  for (std::size_t next = 0; below <= (1 - confidence) / 2; below += std::exp(log_each)) {
    index = next++;
    log_each += std::log(static_cast<double>(n - next + 1) / static_cast<double>(next));
  }
  return {values[index], values[n - 1 - index]};
}

Interval wilson_interval(int passed, int total) {
  if (total <= 0) return {0, 1};
  constexpr double z = 1.959963984540054;  // the normal distribution's 97.5 % point
  const double n = total, share = passed / n;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

double pass_at_k(int n, int c, int k) {
  if (n - c < k) return 1;
  // The chance that k of n samples hold no passing one, as a product: binomials of thousands overflow.
  double none = 1;
  for (int i = n - c + 1; i <= n; ++i) none *= 1 - static_cast<double>(k) / i;
  return 1 - none;
}

}  // namespace ridgeline
