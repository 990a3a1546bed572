#include "engine/verifier/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ridgeline::verifier {

std::int64_t Field::count_wrong() const {
  return std::accumulate(wrong.begin(), wrong.end(), std::int64_t{0});
}

bool Field::is_right(double value, std::size_t at) const {
  return std::fabs(value - expected[at]) <= tolerance[at] || (std::isnan(value) && std::isnan(expected[at]));
}

Finding classify(const Field& field) {
  using Detector = std::optional<Finding> (*)(const Field&);
  constexpr Detector detectors[] = {find_not_written, find_all_zero,   find_constant, find_not_finite,
                                    find_shifted,     find_transposed, find_permuted, find_tail,
                                    find_head,        find_rows,       find_columns,  find_tile,
                                    find_border,      find_scaled,     find_precision};
  for (const auto detector : detectors)
    if (auto found = detector(field)) return *found;
  // A single number has no pattern, but its factor may name the fault, such as M - 1 over M.
  if (field.size() == 1 && field.expected[0] != 0)
    return {Pattern::scattered,
            fmt::format("the only element, {:.6g} times the right one", field.got[0] / field.expected[0])};
  return {Pattern::scattered,
          fmt::format("{} of {} elements, in no order", field.count_wrong(), field.size())};
}

std::optional<Finding> find_not_written(const Field& f) {
  std::int64_t unwritten = 0;
  for (std::size_t i = 0; i < f.wrong.size(); ++i) unwritten += f.wrong[i] & f.unwritten[i];
  if (2 * unwritten < f.count_wrong() || unwritten == 0) return std::nullopt;
  const auto first = std::find(f.unwritten.begin(), f.unwritten.end(), std::uint8_t{1}) - f.unwritten.begin();
  return Finding{Pattern::not_written, fmt::format("{} of {} elements were never written, the first at {}",
                                                   unwritten, f.size(), first)};
}

std::optional<Finding> find_all_zero(const Field& f) {
  if (!std::all_of(f.got.begin(), f.got.end(), [](double x) { return x == 0; })) return std::nullopt;
  return Finding{Pattern::all_zero, "every element is 0"};
}

std::optional<Finding> find_constant(const Field& f) {
  if (f.size() < 2) return std::nullopt;  // constant by nature: left to other patterns
  const double value = f.got[0];
  if (!std::isfinite(value)) return std::nullopt;
  if (!std::all_of(f.got.begin(), f.got.end(), [&](double x) { return x == value; })) return std::nullopt;
  return Finding{Pattern::constant, fmt::format("every element is {:.6g}", value)};
}

std::optional<Finding> find_not_finite(const Field& f) {
  std::int64_t bad = 0, nan = 0;
  for (std::size_t i = 0; i < f.got.size(); ++i) {
    if (f.wrong[i] == 0 || std::isfinite(f.got[i])) continue;
    ++bad;
    nan += std::isnan(f.got[i]) ? 1 : 0;
  }
  if (bad == 0 || 2 * bad < f.count_wrong()) return std::nullopt;
  return Finding{
      Pattern::not_finite,
      fmt::format("{} NaN and {} infinite where a number or another was expected", nan, bad - nan)};
}

std::optional<Finding> find_scaled(const Field& f) {
  std::vector<double> ratios;
  const auto step = std::max<std::int64_t>(1, f.size() / 4093);
  for (std::int64_t i = 0; i < f.size(); i += step) {
    const auto at = static_cast<std::size_t>(i);
    if (std::fabs(f.expected[at]) > f.tolerance[at] && std::isfinite(f.got[at]))
      ratios.push_back(f.got[at] / f.expected[at]);
  }
  if (ratios.size() < 4) return std::nullopt;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  const double factor = *middle;
  if (factor == 0 || !std::isfinite(factor) || std::fabs(factor - 1) < 1e-6) return std::nullopt;
  std::int64_t matched = 0;
  for (std::size_t i = 0; i < f.got.size(); ++i) matched += f.is_right(f.got[i] / factor, i) ? 1 : 0;
  if (static_cast<double>(matched) < 0.95 * static_cast<double>(f.size())) return std::nullopt;
  // The factor must repair at least half of the wrong elements; few wrong ones fit many factors by chance.
  if (matched - (f.size() - f.count_wrong()) < std::max<std::int64_t>(4, f.count_wrong() / 2))
    return std::nullopt;
  return Finding{Pattern::scaled, fmt::format("every value is {:.6g} times the right one", factor)};
}

std::optional<Finding> find_precision(const Field& f) {
  // A count or an index is right or wrong.
  if (std::ranges::all_of(f.tolerance, [](double allowed) { return allowed == 0; })) return std::nullopt;
  double squares = 0;
  for (const double x : f.expected) squares += std::isfinite(x) ? x * x : 0;
  const double typical = std::sqrt(squares / static_cast<double>(f.size()));
  double worst = 0;
  for (std::size_t i = 0; i < f.got.size(); ++i) {
    if (f.wrong[i] == 0) continue;
    const double error = std::fabs(f.got[i] - f.expected[i]);
    // Small values beside large ones carry the rounding error of the large ones.
    const double relative = error / std::max(std::fabs(f.expected[i]), typical);
    if (!(relative <= 0.05)) return std::nullopt;
    worst = std::max(worst, relative);
  }
  if (typical == 0) return std::nullopt;
  return Finding{Pattern::precision,
                 fmt::format("{} of {} elements are off by at most {:.2g} of their magnitude",
                             f.count_wrong(), f.size(), worst)};
}

}  // namespace ridgeline::verifier
