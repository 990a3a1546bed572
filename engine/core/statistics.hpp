// Statistics over plain numbers, and a random source whose sequence is the same on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ridgeline {

/// SplitMix64 (Steele, Lea, Flood 2014): the same seed gives the same sequence on every machine and compiler,
/// which std:: distributions do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< [0, 1)
  std::size_t below(std::size_t n) { return n == 0 ? 0 : next() % n; }

 private:
  std::uint64_t state_;
};

/// Interpolates linearly between order statistics (R's type 7). Empty input gives 0.
double quantile(std::vector<double> values, double q);
double median(std::vector<double> values);
double mean(std::span<const double> values);
/// Leaves out values <= 0. Gives 0 if nothing is left.
double geometric_mean(std::span<const double> values);

struct Interval {
  double low = 0;
  double high = 0;
};

/// Returns the distribution-free interval of the median from order statistics (binomial, exact), 95 % unless
/// told otherwise; the range where there are too few values for that confidence (for 95 %: fewer than 6).
Interval median_interval(std::vector<double> values, double confidence = 0.95);
/// Whether some interval of the median from so many values has that confidence.
bool has_median_interval(std::size_t values, double confidence);

/// Returns Wilson's 95 % interval (Wilson 1927) of a share of which `passed` of `total` are; [0, 1] for none.
Interval wilson_interval(int passed, int total);

/// Returns the unbiased estimate of pass@k (Chen et al. 2021, arXiv 2107.03374): n samples of which c pass.
double pass_at_k(int n, int c, int k);

}  // namespace ridgeline
