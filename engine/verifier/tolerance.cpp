#include "engine/verifier/tolerance.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engine/verifier/elements.hpp"
#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double magnitude(std::span<const double> values, std::int64_t element, int parts) {
  const auto at = static_cast<std::size_t>(element * parts);
  return parts == 1 ? std::fabs(values[at]) : std::hypot(values[at], values[at + 1]);
}

/// The distance of two runs at one element: 0 for the same infinity or NaN in both, infinite if only one is
/// finite.
double distance(std::span<const double> a, std::span<const double> b, std::int64_t element, int parts) {
  double sum = 0;
  for (int part = 0; part < parts; ++part) {
    const auto at = static_cast<std::size_t>(element * parts + part);
    if (a[at] == b[at] || (std::isnan(a[at]) && std::isnan(b[at]))) continue;
    const double difference = a[at] - b[at];
    if (!std::isfinite(difference)) return infinity;
    sum = parts == 1 ? std::fabs(difference) : std::hypot(sum, difference);
  }
  return sum;
}

/// The upper median of those of the values at(0) .. at(count - 1), or of 255 of them, that `counts` accepts;
/// 0 if there is none.
template <class At, class Counts>
double median_where(std::int64_t count, std::vector<double>& scratch, At at, Counts counts) {
  constexpr std::int64_t enough = 255;  // a sample's median is good enough, and keeps long rows cheap
  const auto step = std::max<std::int64_t>(1, count / enough);
  scratch.clear();
  for (std::int64_t i = 0; i < count; i += step)
    if (const double value = at(i); counts(value)) scratch.push_back(value);
  if (scratch.empty()) return 0;
  const auto middle = scratch.begin() + static_cast<std::ptrdiff_t>(scratch.size() / 2);
  std::nth_element(scratch.begin(), middle, scratch.end());
  return *middle;
}

template <class At>
double median_of(std::int64_t count, std::vector<double>& scratch, At at) {
  return median_where(count, scratch, at, [](double) { return true; });
}

struct Element {
  double value = 0;      // |y|
  double condition = 0;  // k
  double own_error = 0;
  double jump = 0;  // how far a perturbation moved it, where the result is discontinuous
  bool undecided = false;
  bool finite = true;
};

class Derivation {
 public:
  Derivation(const Precision& precision, const ReferenceRuns& runs)
      : precision_(precision), runs_(runs), elements_(static_cast<std::size_t>(runs.elements)) {}

  void run(std::span<double> tolerance, std::span<double> scale) {
    read();
    const auto unshown = conditions_of_unshown();
    if (precision_.reduces) raise_conditions();
    for (const auto& [i, condition] : unshown)
      elements_[i].condition = std::max(elements_[i].condition, condition);
    collect_own_errors();
    in_ranges(runs_.elements, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        scale[i] = std::max(elements_[i].value, elements_[i].condition);
        tolerance[i] = tolerance_of(elements_[i], scale[i]);
      }
    });
  }

 private:
  void read() {
    struct Sum {
      double squares = 0;
      std::int64_t finite = 0;
    };
    std::vector<Sum> of_range(static_cast<std::size_t>(ranges_in(runs_.elements)));
    in_ranges(runs_.elements, [&](std::int64_t begin, std::int64_t end) {
      auto& sum = of_range[static_cast<std::size_t>(begin / range_length)];
      for (auto i = begin; i < end; ++i) {
        auto& e = elements_[static_cast<std::size_t>(i)];
        e.value = magnitude(runs_.oracle, i, runs_.components);
        e.finite = std::isfinite(e.value);
        if (!e.finite) continue;
        sum.squares += e.value * e.value;
        ++sum.finite;
      }
    });
    Sum all;
    for (const auto& sum : of_range) all = {all.squares + sum.squares, all.finite + sum.finite};
    typical_ = all.finite == 0 ? 0 : std::sqrt(all.squares / static_cast<double>(all.finite));
    // Jumps are recognized by the typical magnitude, so it must be known before elements are read.
    in_ranges(runs_.elements, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end; ++i) read_element(i, elements_[static_cast<std::size_t>(i)]);
    });
  }

  void read_element(std::int64_t i, Element& e) const {
    const double first = distance(runs_.oracle, runs_.first, i, runs_.components);
    const double second = distance(runs_.oracle, runs_.second, i, runs_.components);
    e.own_error = distance(runs_.oracle, runs_.own, i, runs_.components);
    if (!std::isfinite(first) || !std::isfinite(second)) {
      e.undecided = true;
      return;
    }
    if (!e.finite) {
      e.value = 0;
      return;
    }
    if (!std::isfinite(e.own_error)) {
      e.undecided = e.value < precision_.limit * (1 - 2 * precision_.output_roundoff);
      e.own_error = 0;
    }
    const double by_first = std::max(first, further(i)) / first_step, by_second = second / second_step;
    e.condition = std::max(by_first, by_second);
    const double plausible = unlikely_condition * std::max(e.value, typical_);
    // A smooth response scales with the step. One that is far larger under one of two steps is a jump.
    if (e.condition > plausible && e.condition > 16 * std::min(by_first, by_second)) {
      e.jump = std::max({first, second, further(i)});
      e.condition = std::min(by_first, by_second) > plausible ? 0 : std::min(by_first, by_second);
    }
  }

  /// The largest response among the further runs. Responses that are not finite are left to the first run.
  double further(std::int64_t i) const {
    double largest = 0;
    for (const auto& draw : runs_.more) {
      const double moved = distance(runs_.oracle, draw, i, runs_.components);
      if (std::isfinite(moved)) largest = std::max(largest, moved);
    }
    return largest;
  }

  /// Returns the elements whose condition the perturbations do not show, with the condition that each gets.
  std::vector<std::pair<std::size_t, double>> conditions_of_unshown() const {
    std::vector<std::pair<std::size_t, double>> found;
    const auto columns = runs_.row, rows = columns == 0 ? 0 : runs_.elements / columns;
    std::vector<std::optional<double>> by_column(static_cast<std::size_t>(columns));
    std::optional<std::pair<std::int64_t, double>> of_row;
    std::vector<double> scratch;
    const auto positive = [](double condition) { return condition > 0; };
    const auto condition = [&](std::int64_t r, std::int64_t c) {
      return elements_[static_cast<std::size_t>(r * columns + c)].condition;
    };
    double sum = 0;
    for (const auto& e : elements_) sum += e.condition;
    const double suspect = least_condition * sum / static_cast<double>(elements_.size());
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const auto& e = elements_[i];
      if (e.condition >= suspect || e.jump != 0 || e.undecided || !e.finite) continue;
      const auto r = static_cast<std::int64_t>(i) / columns, c = static_cast<std::int64_t>(i) % columns;
      if (!of_row || of_row->first != r)
        of_row = {r, median_where(columns, scratch, [&](auto at) { return condition(r, at); }, positive)};
      auto& of_column = by_column[static_cast<std::size_t>(c)];
      if (!of_column)
        of_column = median_where(rows, scratch, [&](auto at) { return condition(at, c); }, positive);
      const bool unmoved_zero = e.value == 0 && e.condition == 0;
      const double most = std::max(of_row->second, *of_column), least = std::min(of_row->second, *of_column);
      const double of_zero = least > 0 ? std::min(most, raise_limit * least) : most;
      const double around = unmoved_zero ? of_zero : least_condition * least;
      if (around > e.condition) found.emplace_back(i, around);
    }
    return found;
  }

  void raise_conditions() {
    const auto columns = runs_.row;
    const auto rows = columns == 0 ? 0 : runs_.elements / columns;
    if (runs_.elements < 4) return;
    std::vector<double> scratch, by_row(static_cast<std::size_t>(rows)),
        by_column(static_cast<std::size_t>(columns));
    const auto condition = [&](std::int64_t r, std::int64_t c) {
      return elements_[static_cast<std::size_t>(r * columns + c)].condition;
    };
    if (columns >= 4)
      for (std::int64_t r = 0; r < rows; ++r)
        by_row[static_cast<std::size_t>(r)] =
            median_of(columns, scratch, [&](std::int64_t c) { return condition(r, c); });
    if (rows >= 4)
      for (std::int64_t c = 0; c < columns; ++c)
        by_column[static_cast<std::size_t>(c)] =
            median_of(rows, scratch, [&](std::int64_t r) { return condition(r, c); });
    in_ranges(runs_.elements, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end; ++i) {
        auto& own = elements_[static_cast<std::size_t>(i)].condition;
        const double around = std::max(by_row[static_cast<std::size_t>(i / columns)],
                                       by_column[static_cast<std::size_t>(i % columns)]);
        // Raising is bounded: a row of large conditions must not hide an element that is well conditioned.
        own = std::max(own, std::min(around, raise_limit * own));
      }
    });
  }

  void collect_own_errors() {
    using Binades = decltype(by_binade_);
    std::vector<Binades> of_range(static_cast<std::size_t>(ranges_in(runs_.elements)));
    in_ranges(runs_.elements, [&](std::int64_t begin, std::int64_t end) {
      auto& binades = of_range[static_cast<std::size_t>(begin / range_length)];
      for (auto i = begin; i < end; ++i) {
        const auto& e = elements_[static_cast<std::size_t>(i)];
        if (!e.finite || e.undecided || e.jump > 0) continue;
        auto& largest = binades[binade(e.value)];
        largest = std::max(largest, e.own_error);
      }
    });
    for (const auto& binades : of_range)
      for (std::size_t i = 0; i < binades.size(); ++i) by_binade_[i] = std::max(by_binade_[i], binades[i]);
    std::partial_sum(by_binade_.begin(), by_binade_.end(), by_binade_.begin(),
                     [](double a, double b) { return std::max(a, b); });
  }

  double tolerance_of(const Element& e, double scale) const {
    if (e.undecided) return infinity;
    if (!e.finite) return precision_.floor;
    const double own = by_binade_[binade(e.value)];
    const double local = precision_.local * std::max(own, precision_.output_roundoff * scale);
    const double grown = precision_.growth * precision_.accumulator_roundoff * scale;
    const double tolerance = precision_.slack * (local + grown) + precision_.floor;
    const bool other_side = e.jump > 0 && e.own_error > tolerance;
    return other_side ? 1.5 * std::max(e.jump, e.own_error) : tolerance;
  }

  /// The exponent bits of a value: they rise with it, and are 0 for zero.
  static std::size_t binade(double value) {
    return static_cast<std::size_t>((std::bit_cast<std::uint64_t>(value) >> 52) & 0x7FF);
  }

  const Precision& precision_;
  const ReferenceRuns& runs_;
  std::vector<Element> elements_;
  std::array<double, 0x800> by_binade_{};  // largest own error at this and lower exponents of |y|
  double typical_ = 0;
};

}  // namespace

Precision precision_of(DType dtype, double reduction, InputSet set, double slack, bool lower,
                       double intermediate) {
  Precision p;
  const bool narrow = dtype == DType::float16 || dtype == DType::bfloat16;
  p.output_roundoff = lower ? next_lower_roundoff(dtype) : unit_roundoff(dtype);
  p.accumulator_roundoff = std::min(unit_roundoff(dtype), unit_roundoff(DType::float32));
  // 16-bit kernels compute functions in float32 and round once or twice; wider ones may be a few ulps off.
  p.local = narrow || lower ? 2 : 8;
  p.growth = std::max(4 * std::sqrt(reduction), set == InputSet::edge ? reduction : 0);
  p.slack = slack;
  p.floor = dtype == DType::float16 ? 0x1p-24 : smallest_normal(dtype);
  if (reduction > 1)
    p.floor += 2 * reduction * smallest_normal(dtype == DType::float64 ? dtype : DType::float32);
  p.floor += p.accumulator_roundoff * intermediate;
  p.limit = largest(dtype);
  p.reduces = reduction > 1;
  return p;
}

double next_lower_roundoff(DType dtype) {
  return std::ldexp(1.0, -next_lower_digits(dtype));
}

int next_lower_digits(DType dtype) {
  switch (dtype) {
    case DType::float64:
    case DType::complex128:
      return 24;
    case DType::float16:
      return 8;
    case DType::bfloat16:
      return 4;
    default:
      return 11;
  }
}

void derive_tolerance(const Precision& precision, const ReferenceRuns& runs, std::span<double> tolerance,
                      std::span<double> scale) {
  Derivation(precision, runs).run(tolerance, scale);
}

}  // namespace ridgeline::verifier
