#include "engine/compare/paired_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace ridgeline::compare {
namespace {

constexpr std::uint64_t resampling_seed = 19870301;
constexpr std::uint64_t sign_seed = 19350601;
constexpr std::size_t most_exact = 13;  // 8,192 assignments of signs: as many as are else drawn at random
/// Sums in another order differ in their last bits. A mean as far from 0 as the one that was seen counts.
constexpr double rounding = 1e-12;

double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

/// The inverse of `normal_below` by bisection; ±8 at the ends.
double normal_quantile(double share) {
  double low = -8, high = 8;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (normal_below(middle) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Returns the means of `count` resamples.
std::vector<double> resampled_means(std::span<const Cluster> clusters, int count) {
  Random random(resampling_seed);
  const auto n = static_cast<std::uint64_t>(clusters.size());
  std::vector<double> means;
  means.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    double sum = 0, weight = 0;
    const auto add = [&](std::uint64_t bits) {
      const auto& drawn = clusters[bits * n >> 32];
      sum += drawn.sum;
      weight += drawn.count;
    };
    for (std::uint64_t drawn = 0; drawn < n; drawn += 2) {
      // Two draws of 32 bits by multiplication: a remainder of 64 bits takes most of a comparison's time.
      const auto bits = random.next();
      add(bits & 0xffffffffULL);
      if (drawn + 1 < n) add(bits >> 32);
    }
    means.push_back(sum / weight);
  }
  return means;
}

/// The quantile, as core's `quantile`, of values that it may reorder: sorting ten thousand takes longer than
/// drawing them.
double at_share(std::vector<double>& values, double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(at);
  const auto place = values.begin() + below;
  std::nth_element(values.begin(), place, values.end());
  if (place + 1 == values.end()) return *place;
  return *place + (at - static_cast<double>(below)) * (*std::min_element(place + 1, values.end()) - *place);
}

/// Returns in how many of all assignments of signs the sum is at least `limit` away from 0.
double exact_share(const std::vector<double>& sizes, double limit) {
  const auto assignments = std::uint32_t{1} << sizes.size();
  std::uint32_t as_far = 0;
  for (std::uint32_t signs = 0; signs < assignments; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) sum += (signs >> i & 1) != 0 ? -sizes[i] : sizes[i];
    as_far += std::abs(sum) >= limit;
  }
  return static_cast<double>(as_far) / assignments;
}

double drawn_share(const std::vector<double>& sizes, double limit) {
  Random random(sign_seed);
  int as_far = 0;
  for (int draw = 0; draw < paired_resamples; ++draw) {
    double sum = 0;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (i % 64 == 0) bits = random.next();
      sum += (bits & 1) != 0 ? -sizes[i] : sizes[i];
      bits >>= 1;
    }
    as_far += std::abs(sum) >= limit;
  }
  // The assignment that was seen is one of those that are possible: p is never 0.
  return (1.0 + as_far) / (1.0 + paired_resamples);
}

}  // namespace

Interval bca_interval_of_mean(std::span<const double> values, int count, double confidence) {
  if (values.empty() || count < 1) return {};
  const double estimate = mean(values);
  double squares = 0, cubes = 0;
  for (const double value : values) {
    squares += (value - estimate) * (value - estimate);
    cubes += (value - estimate) * (value - estimate) * (value - estimate);
  }
  if (squares <= 0) return {estimate, estimate};
  std::vector<Cluster> clusters;
  for (const double value : values) clusters.push_back({value, 1});
  auto means = resampled_means(clusters, count);
  // Means that are equal to the estimate count half: with few values they are many.
  double below = 0;
  for (const double one : means) {
    if (one < estimate - rounding)
      below += 1;
    else if (one <= estimate + rounding)
      below += 0.5;
  }
  const double bias = normal_quantile(below / static_cast<double>(means.size()));
  const double acceleration = cubes / (6 * std::pow(squares, 1.5));
  const auto end = [&](double share) {
    const double z = bias + normal_quantile(share);
    return at_share(means, normal_below(bias + z / (1 - acceleration * z)));
  };
  const double tail = (1 - confidence) / 2;
  return {end(tail), end(1 - tail)};
}

Interval clustered_interval(std::span<const Cluster> clusters, int count, double confidence) {
  if (clusters.empty() || count < 1) return {};
  auto means = resampled_means(clusters, count);
  const double tail = (1 - confidence) / 2;
  return {at_share(means, tail), at_share(means, 1 - tail)};
}

double sign_flip_p(std::span<const double> differences) {
  std::vector<double> sizes;
  double sum = 0, all = 0;
  for (const double difference : differences) {
    if (difference == 0) continue;  // its sign changes nothing
    sizes.push_back(std::abs(difference));
    sum += difference;
    all += std::abs(difference);
  }
  if (sizes.empty()) return 1;
  const double limit = std::abs(sum) - rounding * all;
  return sizes.size() <= most_exact ? exact_share(sizes, limit) : drawn_share(sizes, limit);
}

double mcnemar_p(int first, int second) {
  const int n = first + second;
  if (n <= 0) return 1;
  // Twice the chance of at most `fewer` of n heads. Terms are logarithms: 0.5^1075 is 0 in a double.
  const int fewer = std::min(first, second);
  double log_each = n * std::log(0.5), tail = 0;
  for (int heads = 0; heads <= fewer; ++heads) {
    tail += std::exp(log_each);
    log_each += std::log(static_cast<double>(n - heads) / (heads + 1));
  }
  return std::min(1.0, 2 * tail);
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    largest = std::max(largest, std::min(1.0, p[order[rank]] * static_cast<double>(p.size() - rank)));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace ridgeline::compare
