#include "engine/verifier/randomness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "engine/verifier/parallel.hpp"
#include "engine/verifier/probabilities.hpp"
#include "engine/verifier/random.hpp"

namespace ridgeline::verifier {
namespace {

/// Rounds to 12 digits (Veltkamp's splitting): draws in float32 and float64 that mean the same number must
/// tie.
double coarse(double x) {
  const double spread = x * (0x1p41 + 1);
  return spread - (spread - x);
}

/// Draws in the two-sample test: more hardly sharpen it, and sorting them is its cost.
constexpr std::size_t pooled_draws = 4;
/// Elements that are compared in tests that sort, or that scan every draw several times.
constexpr std::size_t sample_size = 16384;

using Block = std::array<double, elements_together>;

class RandomnessTests {
 public:
  RandomnessTests(std::span<const double> got, const DrawRows& draws, double p_value)
      : got_(got), draws_(draws), count_(draws.count()), limit_(p_value) {}

  RandomFinding run() const {
    if (got_.empty()) return {};
    for (std::size_t i = 0; i < got_.size(); ++i)
      if (!std::isfinite(got_[i]) && std::isfinite(draw(0, i))) return {false, "a value is not finite"};
    for (const auto test :
         {&RandomnessTests::moments, &RandomnessTests::follows, &RandomnessTests::distribution,
          &RandomnessTests::ranks, &RandomnessTests::neighbours})
      if (auto finding = (this->*test)(); !finding.ok) return finding;
    return {};
  }

 private:
  double draw(std::size_t k, std::size_t i) const { return draws_.at(k, i); }

  /// Calls `work(first, length)` for blocks whose rows stay in the cache, on several threads; `work` returns
  /// a sum of its block.
  template <class Work>
  double sum_in_blocks(Work&& work) const {
    return sum_in_ranges(static_cast<std::int64_t>(got_.size()), [&](std::int64_t begin, std::int64_t end) {
      double sum = 0;
      for (auto first = static_cast<std::size_t>(begin); first < static_cast<std::size_t>(end);
           first += elements_together)
        sum += work(first, std::min(elements_together, static_cast<std::size_t>(end) - first));
      return sum;
    });
  }

  /// The sum of `f(x)` over all elements of a draw.
  template <class Function>
  double sum_over_draw(std::size_t k, Function&& f) const {
    return sum_in_blocks([&](std::size_t first, std::size_t length) {
      Block room;
      double sum = 0;
      for (const double x : draws_.part(k, first, length, room)) sum += f(x);
      return sum;
    });
  }

  /// The sum of `f(x)` over all elements of the output.
  template <class Function>
  double sum_over_output(Function&& f) const {
    return sum_in_blocks([&](std::size_t first, std::size_t length) {
      double sum = 0;
      for (const double x : got_.subspan(first, length)) sum += f(x);
      return sum;
    });
  }

  RandomFinding judge(const char* test, double statistic, double p) const {
    if (p >= limit_) return {};
    return {false,
            fmt::format("{}: statistic {:.4g}, p-value {:.2g} below {:.2g}", test, statistic, p, limit_)};
  }

  /// Compares a statistic of the output with the same statistic of each draw; `independent` is its deviation
  /// if elements are independent. Fifteen draws estimate their own deviation poorly, most of all where few
  /// elements outweigh the others, which Student's t allows for. `largest` is the most that one element adds.
  RandomFinding judge_against_draws(const char* test, double statistic, std::span<const double> of_draws,
                                    double expected, double independent, double magnitude,
                                    double largest) const {
    const double between = std::sqrt(variance_of(of_draws, expected)), off = statistic - expected;
    return judge(test, statistic,
                 std::max(student_p(off / widen(between, magnitude), static_cast<double>(count_ - 1)),
                          bernstein_p(off, widen(independent, magnitude), largest)));
  }

  RandomFinding moments() const {
    const auto n = static_cast<double>(got_.size());
    const auto itself = [](double x) { return x; };
    std::vector<double> means, spreads;
    for (std::size_t k = 0; k < count_; ++k) means.push_back(sum_over_draw(k, itself) / n);
    // Squares are about one mean for all, so that each is a sum of independent numbers: about its own mean,
    // that of a fair coin varies by its mean's error alone, which no deviation of squares shows.
    const double mean = mean_of(means);
    const double freedom = n < 2 ? std::numeric_limits<double>::infinity() : n - 1;  // of a variance
    const auto square = [mean](double x) { return (x - mean) * (x - mean); };
    for (std::size_t k = 0; k < count_; ++k) spreads.push_back(sum_over_draw(k, square) / freedom);
    const double spread = mean_of(spreads);
    const double own = sum_over_output(itself) / n, furthest = furthest_from(mean);
    if (auto found = judge_against_draws("mean", own, means, mean, std::sqrt(spread / n), mean, furthest / n);
        !found.ok)
      return found;
    const double fourth = sum_over_draw(0, [&](double x) { return square(x) * square(x); }) / n;
    return judge_against_draws("variance", sum_over_output(square) / freedom, spreads, spread,
                               std::sqrt(std::max(0.0, fourth - spread * spread) / n), spread,
                               furthest * furthest / n);
  }

  /// The largest distance of an element of the output, or of the first draw, from `middle`.
  double furthest_from(double middle) const {
    double largest = 0;
    for (std::size_t i = 0; i < got_.size(); ++i)
      largest = std::max({largest, std::fabs(got_[i] - middle), std::fabs(draw(0, i) - middle)});
    return largest;
  }

  /// Widens a deviation: the expected value is itself an average of `count_` draws, and float32 rounds what
  /// is summed up. The result is never 0.
  double widen(double deviation, double magnitude) const {
    return deviation * std::sqrt(1 + 1 / static_cast<double>(count_)) * 1.25 +
           0x1p-20 * std::fabs(magnitude) + 1e-300;
  }

  /// Tests the sum of (got - a_i) b_i, where a and b are the means of two separate halves of the draws; one
  /// half for both would count its own noise twice. An output that ignores its input is far off. b leaves
  /// out elements far above the others: they would be the whole sum, and too few draws show their variance.
  RandomFinding follows() const {
    const auto half = count_ / 2;
    std::vector<double> means(got_.size()), weights(got_.size());
    in_ranges(static_cast<std::int64_t>(got_.size()), [&](std::int64_t begin, std::int64_t end) {
      const auto first = static_cast<std::size_t>(begin), length = static_cast<std::size_t>(end - begin);
      mean_of_draws(0, half, first, std::span(means).subspan(first, length));
      mean_of_draws(half, count_, first, std::span(weights).subspan(first, length));
    });
    auto sizes = weights;
    for (double& size : sizes) size = std::fabs(size);
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    const double largest = *middle > 0 ? 8 * *middle : std::numeric_limits<double>::infinity();
    const auto counts = [&](std::size_t i) { return std::fabs(weights[i]) <= largest; };
    const double sum = sum_in_blocks([&](std::size_t first, std::size_t length) {
      double part = 0;
      for (std::size_t i = first; i < first + length; ++i)
        if (counts(i)) part += (got_[i] - means[i]) * weights[i];
      return part;
    });
    const double variance = sum_in_blocks([&](std::size_t first, std::size_t length) {
      Block room, squares{};
      for (std::size_t k = 0; k < half; ++k) {
        const auto row = draws_.part(k, first, length, room);
        for (std::size_t i = 0; i < length; ++i) {
          const double apart = row[i] - means[first + i];
          squares[i] += apart * apart / static_cast<double>(half - 1);
        }
      }
      double part = 0;
      for (std::size_t i = 0; i < length; ++i)
        if (const double b = weights[first + i]; counts(first + i))
          part += squares[i] * (1 + 1 / static_cast<double>(half)) * b * b;
      return part;
    });
    double weight = 0, most = 0;
    for (std::size_t i = 0; i < got_.size(); ++i) {
      if (!counts(i)) continue;
      weight += weights[i] * weights[i];
      most = std::max(most, std::fabs((got_[i] - means[i]) * weights[i]));
    }
    return judge("dependence on the input", sum, bernstein_p(sum, widen(std::sqrt(variance), weight), most));
  }

  /// Writes the mean of draws `from` to below `until` of each element from `first` on to `means`.
  void mean_of_draws(std::size_t from, std::size_t until, std::size_t first, std::span<double> means) const {
    std::vector<double> room(means.size());
    std::ranges::fill(means, 0.0);
    for (std::size_t k = from; k < until; ++k) {
      const auto row = draws_.part(k, first, means.size(), room);
      for (std::size_t i = 0; i < means.size(); ++i) means[i] += row[i];
    }
    for (double& mean : means) mean /= static_cast<double>(until - from);
  }

  RandomFinding distribution() const {
    // Evenly spaced elements stand for the output.
    const auto step = (got_.size() + sample_size - 1) / sample_size;
    std::vector<double> own, all;
    for (std::size_t i = 0; i < got_.size(); i += step) {
      own.push_back(coarse(got_[i]));
      for (std::size_t k = 0; k < std::min(pooled_draws, count_); ++k) all.push_back(coarse(draw(k, i)));
    }
    std::sort(own.begin(), own.end());
    std::sort(all.begin(), all.end());
    double distance = 0;
    // Walks both sorted samples at once; equal values are skipped together, so that ties cost no distance.
    for (std::size_t i = 0, j = 0; i < own.size();) {
      const double x = own[i];
      const double below_own = static_cast<double>(i) / static_cast<double>(own.size());
      while (j < all.size() && all[j] < x) ++j;
      const double below_all = static_cast<double>(j) / static_cast<double>(all.size());
      while (i < own.size() && own[i] == x) ++i;
      while (j < all.size() && all[j] == x) ++j;
      const double up_own = static_cast<double>(i) / static_cast<double>(own.size());
      const double up_all = static_cast<double>(j) / static_cast<double>(all.size());
      distance = std::max({distance, std::fabs(up_own - up_all), std::fabs(below_own - below_all)});
    }
    return judge("Kolmogorov-Smirnov", distance,
                 kolmogorov_p(distance, static_cast<double>(own.size()), static_cast<double>(all.size())));
  }

  RandomFinding ranks() const {
    const double each = static_cast<double>(got_.size()) / static_cast<double>(count_ + 1);
    if (each < 20) return {};  // fewer a cell, and a chi-squared number's far tail is not that of the sum
    std::vector<double> cells(count_ + 1);
    std::mutex mutex;
    const Random coin(0x7E57, 1);
    in_ranges(static_cast<std::int64_t>(got_.size()), [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> counted(count_ + 1);
      for (auto first = static_cast<std::size_t>(begin); first < static_cast<std::size_t>(end);
           first += elements_together)
        count_ranks(first, std::min(elements_together, static_cast<std::size_t>(end) - first), coin, counted);
      const std::lock_guard lock(mutex);
      for (std::size_t cell = 0; cell <= count_; ++cell) cells[cell] += counted[cell];  // whole: exact
    });
    double sum = 0;
    for (const double cell : cells) sum += (cell - each) * (cell - each) / each;
    return judge("rank among draws", sum, chi_squared_p(sum, static_cast<double>(count_)));
  }

  /// Counts each element of a block in the cell of its rank among the draws; `coin` breaks ties.
  void count_ranks(std::size_t first, std::size_t length, const Random& coin,
                   std::vector<double>& cells) const {
    Block room;
    std::array<std::uint64_t, elements_together> below{}, tied{};
    for (std::size_t k = 0; k < count_; ++k) {
      const auto row = draws_.part(k, first, length, room);
      for (std::size_t i = 0; i < length; ++i) {
        const double x = got_[first + i], other = row[i];
        const double gap = 0x1p-10 * std::max(std::fabs(other), std::fabs(x));
        const bool ties = std::fabs(other - x) <= gap;
        tied[i] += ties;
        below[i] += !ties & (other < x);
      }
    }
    for (std::size_t i = 0; i < length; ++i)
      ++cells[static_cast<std::size_t>(below[i] + coin.below(first + i, tied[i] + 1))];
  }

  RandomFinding neighbours() const {
    if (got_.size() < 32) return {};
    const auto n = std::min(got_.size(), sample_size);
    // Where the window lies depends on the values, so that no fixed part of an output is safe from it.
    const auto first =
        Random(std::bit_cast<std::uint64_t>(got_[got_.size() / 2]), 2).below(0, got_.size() - n + 1);
    for (const std::size_t lag : {std::size_t{1}, std::size_t{2}, std::size_t{32}}) {
      if (lag * 2 >= n) break;
      std::vector<double> of_draws;
      std::vector<double> room(n);
      for (std::size_t k = 0; k < count_; ++k)
        of_draws.push_back(correlation(draws_.part(k, first, n, room), lag));
      const auto window = got_.subspan(first, n);
      const double middle = mean_of(window), spread = variance_of(window, middle) * static_cast<double>(n);
      double furthest = 0;
      for (const double x : window) furthest = std::max(furthest, std::fabs(x - middle));
      if (auto found = judge_against_draws("correlation of neighbours", correlation(window, lag), of_draws,
                                           mean_of(of_draws), 1 / std::sqrt(static_cast<double>(n)), 1,
                                           spread > 0 ? furthest * furthest / spread : 0);
          !found.ok)
        return found;
    }
    return {};
  }

  static double mean_of(std::span<const double> values) {
    double sum = 0;
    for (const double x : values) sum += x;
    return sum / static_cast<double>(values.size());
  }
  static double variance_of(std::span<const double> values, double mean) {
    double sum = 0;
    for (const double x : values) sum += (x - mean) * (x - mean);
    return values.size() < 2 ? 0 : sum / static_cast<double>(values.size() - 1);
  }
  static double correlation(std::span<const double> values, std::size_t lag) {
    const double mean = mean_of(values);
    double product = 0, square = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      square += (values[i] - mean) * (values[i] - mean);
      if (i >= lag) product += (values[i] - mean) * (values[i - lag] - mean);
    }
    return square == 0 ? 0 : product / square;
  }

  std::span<const double> got_;
  const DrawRows& draws_;
  std::size_t count_;
  double limit_;
};

}  // namespace

RandomFinding check_random(std::span<const double> got, const DrawRows& draws, double p_value) {
  return RandomnessTests(got, draws, p_value).run();
}

}  // namespace ridgeline::verifier
