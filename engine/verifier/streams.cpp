#include "engine/verifier/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>

#include "engine/verifier/correlation.hpp"
#include "engine/verifier/probabilities.hpp"
#include "engine/verifier/random.hpp"
#include "engine/verifier/repeats.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::size_t correlated_elements = std::size_t{1} << 17;  // in one window, the cost of transforms
constexpr std::size_t paired_elements = std::size_t{1} << 16;
constexpr std::size_t paired_draws = 4;
constexpr std::size_t repeating_draws = 8;    // that show what the task itself repeats
constexpr std::size_t control_draws = 3;      // draws that show what correlation the task itself has
constexpr std::size_t least_correlated = 32;  // elements; fewer cannot reach the limit
constexpr double rounding_of_sums = 1e-6;     // where no score is left, a transform gives no exact zero
constexpr double steps_of_x = 40;             // powers of two that the limit tries

/// The functions f of an element whose scores are correlated.
enum class Aspect { value, size, distance };

/// How far two values may lie apart, relative to the larger one, and count as equal: kernels round in other
/// places than the reference, and a rounding must not decide a sign.
double gap_of(DType dtype) {
  if (dtype == DType::bfloat16) return 0x1p-6;
  if (dtype == DType::float16) return 0x1p-9;
  return 0x1p-10;
}

/// The mean of the finite elements of the first draw.
double mean_of_finite(const DrawRows& draws) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < draws.elements(); ++i)
    if (const double x = draws.at(0, i); std::isfinite(x)) sum += x, ++count;
  return count > 0 ? sum / count : 0;
}

/// The sums of squares before each element.
std::vector<double> squares_before(std::span<const double> values) {
  std::vector<double> sums(values.size() + 1, 0);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i + 1] = sums[i] + values[i] * values[i];
  return sums;
}

/// The largest sum that is honest: streams.hpp.
double limit_of_sum(double squares, double chance) {
  const double log = std::log(2 * steps_of_x / chance);
  return 1.0607 * std::sqrt(2 * squares * log) + rounding_of_sums;
}

/// The number of pairs of equal values.
double equal_pairs(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double pairs = 0;
  for (std::size_t i = 0, j = 0; i < values.size(); i = j) {
    while (j < values.size() && values[j] == values[i]) ++j;
    if (j == i) ++j;  // NaN equals nothing
    const auto alike = static_cast<double>(j - i);
    pairs += alike * (alike - 1) / 2;
  }
  return pairs;
}

class IndependenceTests {
 public:
  IndependenceTests(const RandomCalls& calls, double p_value)
      : calls_(calls),
        elements_(calls.outputs.front().size()),
        count_(calls.draws.count()),
        p_value_(p_value),
        gap_(gap_of(calls.dtype)),
        middle_(mean_of_finite(calls.draws)) {
    window_ = std::min(elements_, correlated_elements);
    // The place depends on a value, so that no fixed part of an output is safe from it.
    const auto word = std::bit_cast<std::uint64_t>(calls.outputs.front()[elements_ / 2]);
    first_ = Random(word, 3).below(0, elements_ - window_ + 1);
    if (calls.draws.any_negative()) aspects_.push_back(Aspect::size);
  }

  RandomFinding within_a_call() const {
    for (const auto test : {&IndependenceTests::repeats, &IndependenceTests::lags, &IndependenceTests::pairs})
      if (auto finding = (this->*test)(); !finding.ok) return finding;
    return {};
  }

  RandomFinding between_calls() const {
    if (!calls_.same_inputs) return shifts();
    if (auto finding = always_the_same(); !finding.ok) return finding;
    if (auto finding = repeats(); !finding.ok) return finding;
    return shifts();
  }

 private:
  /// A part of a draw; `room` serves it, and must outlive it.
  std::span<const double> draw(std::size_t k, std::size_t first, std::size_t length,
                               std::vector<double>& room) const {
    if (calls_.draws.are_flags()) room.resize(length);
    return calls_.draws.part(k, first, length, room);
  }

  double aspect_of(Aspect aspect, double x) const {
    return aspect == Aspect::value ? x : aspect == Aspect::size ? std::fabs(x) : std::fabs(x - middle_);
  }

  std::span<const double> window_of(std::span<const double> output) const {
    return output.subspan(first_, window_);
  }

  /// The scores of `values`, the window of an output or a draw, against the draws `from` to below `until`,
  /// but for `left_out`.
  std::vector<double> scores(std::span<const double> values, Aspect aspect, std::size_t from,
                             std::size_t until, std::optional<std::size_t> left_out = {}) const {
    std::vector<double> sums(window_, 0), room;
    double used = 0;
    for (std::size_t k = from; k < until; ++k) {
      if (left_out == k) continue;
      ++used;
      const auto other = draw(k, first_, window_, room);
      for (std::size_t i = 0; i < window_; ++i) {
        const double x = values[i], y = other[i];
        const double gap = gap_ * std::max(std::fabs(x), std::fabs(y));
        const double apart = aspect_of(aspect, x) - aspect_of(aspect, y);
        if (std::fabs(x - y) <= gap || std::fabs(apart) <= gap) continue;
        sums[i] += apart > 0 ? 1 : apart < 0 ? -1 : 0;
      }
    }
    for (double& sum : sums) sum /= used;
    return sums;
  }

  RandomFinding repeats() const {
    const auto bits = bits_before(calls_.draws);
    double demanded = bits_demanded(static_cast<double>(elements_ * calls_.outputs.size()), p_value_);
    auto found = find_repeat(calls_.outputs, bits, demanded);
    if (!found) return {};
    // Only now: what the task itself repeats, draws repeat too.
    std::vector<std::vector<double>> rooms(std::min(count_, repeating_draws));
    std::vector<std::span<const double>> draws;
    for (std::size_t k = 0; k < rooms.size(); ++k) draws.push_back(draw(k, 0, elements_, rooms[k]));
    while (const auto honest = find_repeat(draws, bits, demanded)) demanded = 2 * honest->bits;
    found = find_repeat(calls_.outputs, bits, demanded);
    if (!found) return {};
    if (found->call == found->other_call)
      return {false, fmt::format("{} elements from {} on are repeated {} elements later", found->length,
                                 found->place, found->other_place - found->place)};
    return {false,
            fmt::format("two calls with different seeds have {} elements in a row in common, at {} and {}",
                        found->length, found->place, found->other_place)};
  }

  /// Correlates the window with itself at all lags.
  RandomFinding lags() const {
    if (window_ < least_correlated) return {};
    for (const auto aspect : aspects_) {
      const auto own = scores(window_of(calls_.outputs.front()), aspect, 0, count_);
      const auto squares = squares_before(own);
      const auto sums = correlate_at_all_shifts(own, own);
      std::vector<Control> of_draws;
      for (std::size_t lag = 1; lag < window_; ++lag) {
        const double sum = sums[lag + window_ - 1];
        double limit = limit_of_sum(squares[window_ - lag], p_value_ / static_cast<double>(window_));
        if (std::fabs(sum) <= limit) continue;
        for (std::size_t k = of_draws.size(); k < control_draws; ++k) of_draws.push_back(control(k, aspect));
        double granted = 0, wider = 1;
        for (const auto& one : of_draws) {
          granted = std::max(granted, 2 * std::fabs(one.sums[lag + window_ - 1]));
          wider = std::max(wider, one.deviation);
        }
        limit = limit * wider + granted;
        if (std::fabs(sum) > limit)
          return {false, fmt::format("elements {} apart are correlated: {:.4g}, and at most {:.4g} is honest",
                                     lag, sum, limit)};
      }
    }
    return {};
  }

  /// A draw's own correlation at all lags. The deviation of its sums at most lags, over the root of the sum
  /// of squares, is below 1 if elements are independent.
  struct Control {
    std::vector<double> sums;
    double deviation = 0;
  };

  Control control(std::size_t k, Aspect aspect) const {
    std::vector<double> room;
    const auto own = scores(draw(k, first_, window_, room), aspect, 0, count_, k);
    const auto squares = squares_before(own);
    Control found{correlate_at_all_shifts(own, own), 0};
    std::vector<double> sizes;
    for (std::size_t lag = 1; lag < window_; ++lag)
      sizes.push_back(std::fabs(found.sums[lag + window_ - 1]) / std::sqrt(squares[window_ - lag] + 1));
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    found.deviation = 1.4826 * *middle;  // of normal numbers, over their median size
    return found;
  }

  /// Correlates the first call with each other one, at all shifts. The draws of one are not those of the
  /// other: they would correlate the scores of one place.
  RandomFinding shifts() const {
    if (window_ < least_correlated) return {};
    const double chance = p_value_ / static_cast<double>(2 * window_);
    for (const auto aspect : aspects_) {
      const auto own = scores(window_of(calls_.outputs.front()), aspect, 0, count_ / 2);
      std::optional<double> granted;  // deviations
      for (std::size_t call = 1; call < calls_.outputs.size(); ++call) {
        const auto other = scores(window_of(calls_.outputs[call]), aspect, count_ / 2, count_);
        const auto squares = squares_before(other);
        const auto sums = correlate_at_all_shifts(own, other);
        for (std::size_t at = 0; at < sums.size(); ++at) {
          const double spread = std::sqrt(squares_at(squares, at));
          const double limit = limit_of_sum(spread * spread, chance);
          if (std::fabs(sums[at]) <= limit) continue;
          if (!granted) granted = deviations_of_draws(aspect);
          if (std::fabs(sums[at]) <= 2 * *granted * spread) continue;
          const auto shift = static_cast<std::int64_t>(at) - static_cast<std::int64_t>(window_ - 1);
          return {false,
                  fmt::format("two calls with different seeds are correlated {} elements apart: {:.4g}, "
                              "and at most {:.4g} is honest",
                              shift, sums[at], std::max(limit, 2 * *granted * spread))};
        }
      }
    }
    return {};
  }

  /// The sum of squares of the second factor over the elements that overlap, for the shift at `at`.
  double squares_at(const std::vector<double>& before, std::size_t at) const {
    const std::size_t middle = window_ - 1;
    return at >= middle ? before[window_] - before[at - middle] : before[window_ - (middle - at)];
  }

  /// The largest correlation of two draws at any shift, over the root of the sum of squares.
  double deviations_of_draws(Aspect aspect) const {
    double largest = 0;
    for (std::size_t k = 0; k < control_draws; ++k) {
      const std::size_t other = count_ - 1 - k;
      std::vector<double> room;
      const auto a = scores(draw(k, first_, window_, room), aspect, 0, count_ / 2, k);
      const auto b = scores(draw(other, first_, window_, room), aspect, count_ / 2, count_, other);
      const auto squares = squares_before(b);
      const auto sums = correlate_at_all_shifts(a, b);
      for (std::size_t at = 0; at < sums.size(); ++at)
        largest = std::max(largest, std::fabs(sums[at]) / std::sqrt(squares_at(squares, at) + 1));
    }
    return largest;
  }

  RandomFinding pairs() const {
    if (calls_.dtype == DType::float16 || calls_.dtype == DType::bfloat16) return {};  // values are few
    const std::size_t n = std::min(elements_, paired_elements);
    const auto first = std::min(first_, elements_ - n);
    const auto of = [&](std::span<const double> values) {
      std::vector<double> copy(values.begin(), values.end());
      if (calls_.dtype == DType::float32)
        for (double& x : copy) x = static_cast<double>(static_cast<float>(x));
      return equal_pairs(std::move(copy));
    };
    double expected = 0;
    const std::size_t draws = std::min(count_, paired_draws);
    std::vector<double> widened;
    for (std::size_t k = 0; k < draws; ++k)
      expected += of(draw(k, first, n, widened)) / static_cast<double>(draws);
    const double all = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
    if (expected > all * 0x1p-16) return {};
    const double own = of(calls_.outputs.front().subspan(first, n));
    const double most = 8 * expected + all * 0x1p-20, log = -std::log(p_value_);
    const double room = log / 3 + std::sqrt(log * log / 9 + 2 * most * log);  // Bernstein's inequality
    if (own > most + room)
      return {false, fmt::format(
                         "{:.0f} pairs of equal values among {} elements, a draw of the reference has {:.0f}",
                         own, n, expected)};
    const double least = expected / 2;
    if (least > 0 && own < least && poisson_p(own, least) < p_value_)
      return {false,
              fmt::format("only {:.0f} pairs of equal values among {} elements, a draw of the reference "
                          "has {:.0f}: values that repeat too seldom are not independent",
                          own, n, expected)};
    return {};
  }

  /// Joins short outputs: whether all calls together say the same with too many bits for chance.
  RandomFinding always_the_same() const {
    const auto& outputs = calls_.outputs;
    const bool same = std::all_of(outputs.begin(), outputs.end(), [&](const auto& output) {
      return std::equal(output.begin(), output.end(), outputs.front().begin());
    });
    if (!same || bits_of_an_output() * static_cast<double>(outputs.size() - 1) < -2 * std::log2(p_value_))
      return {};
    return {false, "calls with different seeds gave the same values"};
  }

  /// The bits of two outputs that agree: by all elements, but if two draws agree, by how many do.
  double bits_of_an_output() const {
    double agree = 0, all = 0;
    for (std::size_t k = 1; k < count_; ++k)
      for (std::size_t j = 0; j < k; ++j, ++all) agree += draws_agree(k, j);
    return agree > 0 ? -std::log2(agree / all) : bits_before(calls_.draws).back();
  }

  bool draws_agree(std::size_t k, std::size_t j) const {
    for (std::size_t i = 0; i < elements_; ++i)
      if (calls_.draws.at(k, i) != calls_.draws.at(j, i)) return false;
    return true;
  }

  const RandomCalls& calls_;
  std::size_t elements_, count_, window_ = 0, first_ = 0;
  double p_value_, gap_, middle_;
  std::vector<Aspect> aspects_{Aspect::value, Aspect::distance};
};

}  // namespace

RandomFinding check_independence(const RandomCalls& calls, double p_value) {
  if (calls.outputs.front().empty()) return {};
  return IndependenceTests(calls, p_value).within_a_call();
}

RandomFinding check_calls_independent(const RandomCalls& calls, double p_value) {
  if (calls.outputs.size() < 2 || calls.outputs.front().empty()) return {};
  return IndependenceTests(calls, p_value).between_calls();
}

}  // namespace ridgeline::verifier
