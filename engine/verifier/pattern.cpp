#include "engine/verifier/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace ridgeline::verifier {

Finding classify(const Field& field) {
  using Detector = std::optional<Finding> (*)(const Field&);
  constexpr Detector detectors[] = {find_not_written, find_all_zero,   find_constant, find_not_finite,
                                    find_shifted,     find_transposed, find_tail,     find_head,
                                    find_rows,        find_columns,    find_tile,     find_scaled,
                                    find_precision};
  for (const auto detector : detectors)
    if (auto found = detector(field)) return *found;
  const auto wrong = std::count(field.wrong.begin(), field.wrong.end(), std::uint8_t{1});
  return {Pattern::scattered, fmt::format("{} of {} elements, in no order", wrong, field.size())};
}

namespace {

/// Returns the number of wrong elements.
std::int64_t count_wrong(const Field& f) {
  return std::accumulate(f.wrong.begin(), f.wrong.end(), std::int64_t{0});
}

/// The share of a missed region that must be wrong: some of its elements are right by chance.
constexpr double dense = 0.9;

bool is_dense(std::int64_t wrong, std::int64_t size) {
  return size > 0 && static_cast<double>(wrong) >= dense * static_cast<double>(size);
}

/// Whether `got` is right for the expected element at `expected_at`.
bool matches(const Field& f, double got, std::size_t expected_at) {
  const double expected = f.expected[expected_at];
  return std::fabs(got - expected) <= f.tolerance[expected_at] || (std::isnan(got) && std::isnan(expected));
}

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
      if (matches(f, f.got[static_cast<std::size_t>(i)], static_cast<std::size_t>(from))) ++right;
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
    if (matches(f, f.expected[static_cast<std::size_t>(i - 1)], static_cast<std::size_t>(i))) ++equal;
  return 2 * equal < f.size();
}

std::string range_text(std::int64_t first, std::int64_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
}

struct Lines {
  std::vector<std::int64_t> rows, columns;  // wrong elements in each
};

Lines count_lines(const Field& f) {
  Lines lines{std::vector<std::int64_t>(static_cast<std::size_t>(f.rows)),
              std::vector<std::int64_t>(static_cast<std::size_t>(f.columns))};
  for (std::int64_t r = 0; r < f.rows; ++r)
    for (std::int64_t c = 0; c < f.columns; ++c)
      if (f.is_wrong(r * f.columns + c)) {
        ++lines.rows[static_cast<std::size_t>(r)];
        ++lines.columns[static_cast<std::size_t>(c)];
      }
  return lines;
}

/// The first and the last line with a wrong element.
std::pair<std::int64_t, std::int64_t> span_of(const std::vector<std::int64_t>& counts) {
  const auto hit = [](std::int64_t n) { return n > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), hit) - counts.begin();
  const auto last = counts.rend() - std::find_if(counts.rbegin(), counts.rend(), hit) - 1;
  return {first, last};
}

/// Describes the wrong lines if exactly some whole lines are wrong; empty otherwise.
std::optional<std::string> whole_lines(const std::vector<std::int64_t>& counts, std::int64_t length,
                                       const char* what) {
  std::vector<std::int64_t> wrong;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    if (!is_dense(counts[i], length)) return std::nullopt;
    wrong.push_back(static_cast<std::int64_t>(i));
  }
  if (wrong.empty() || wrong.size() == counts.size() || length < 2) return std::nullopt;
  if (wrong.back() - wrong.front() + 1 == static_cast<std::int64_t>(wrong.size()))
    return fmt::format("{} {} of {}", what, range_text(wrong.front(), wrong.back()), counts.size());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(5, wrong.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", wrong[i]);
  return fmt::format("{} {}{}: {} of {}", what, text, wrong.size() > 5 ? ", …" : "", wrong.size(),
                     counts.size());
}

}  // namespace

std::optional<Finding> find_not_written(const Field& f) {
  std::int64_t unwritten = 0;
  for (std::size_t i = 0; i < f.wrong.size(); ++i) unwritten += f.wrong[i] & f.unwritten[i];
  if (2 * unwritten < count_wrong(f) || unwritten == 0) return std::nullopt;
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
  if (bad == 0 || 2 * bad < count_wrong(f)) return std::nullopt;
  return Finding{
      Pattern::not_finite,
      fmt::format("{} NaN and {} infinite where a number or another was expected", nan, bad - nan)};
}

std::optional<Finding> find_shifted(const Field& f) {
  // Fewer than a quarter wrong is no displacement: values that vary would be wrong nearly everywhere.
  if (f.columns < 4 || 4 * count_wrong(f) < f.size() || !is_varied(f)) return std::nullopt;
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

std::optional<Finding> find_tail(const Field& f) {
  const auto wrong = count_wrong(f);
  const auto first = std::find(f.wrong.begin(), f.wrong.end(), std::uint8_t{1}) - f.wrong.begin();
  if (first > 0 && is_dense(wrong, f.size() - first))
    return Finding{Pattern::tail, fmt::format("elements >= {} of {}", first, f.size())};
  if (f.rows < 2) return std::nullopt;
  // Columns missing in every row: a last tile that was not masked.
  const auto [from, to] = span_of(count_lines(f).columns);
  if (from == 0 || to != f.columns - 1 || !is_dense(wrong, f.rows * (f.columns - from))) return std::nullopt;
  return Finding{Pattern::tail, fmt::format("columns >= {} of every row ({} columns)", from, f.columns)};
}

std::optional<Finding> find_head(const Field& f) {
  const auto wrong = count_wrong(f);
  const auto last = f.wrong.rend() - std::find(f.wrong.rbegin(), f.wrong.rend(), std::uint8_t{1}) - 1;
  if (last < f.size() - 1 && is_dense(wrong, last + 1))
    return Finding{Pattern::head, fmt::format("elements <= {} of {}", last, f.size())};
  if (f.rows < 2) return std::nullopt;
  const auto [from, to] = span_of(count_lines(f).columns);
  if (from != 0 || to == f.columns - 1 || !is_dense(wrong, f.rows * (to + 1))) return std::nullopt;
  return Finding{Pattern::head, fmt::format("columns <= {} of every row ({} columns)", to, f.columns)};
}

std::optional<Finding> find_rows(const Field& f) {
  const auto text = whole_lines(count_lines(f).rows, f.columns, "rows");
  return text ? std::optional(Finding{Pattern::rows, *text}) : std::nullopt;
}

std::optional<Finding> find_columns(const Field& f) {
  const auto text = whole_lines(count_lines(f).columns, f.rows, "columns");
  return text ? std::optional(Finding{Pattern::columns, *text}) : std::nullopt;
}

std::optional<Finding> find_tile(const Field& f) {
  const auto lines = count_lines(f);
  const auto [top, bottom] = span_of(lines.rows);
  const auto [left, right] = span_of(lines.columns);
  const auto area = (bottom - top + 1) * (right - left + 1);
  if (area < 4 || area == f.size() || !is_dense(count_wrong(f), area)) return std::nullopt;
  return Finding{Pattern::tile, fmt::format("rows {} by columns {} of {} by {}", range_text(top, bottom),
                                            range_text(left, right), f.rows, f.columns)};
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
  for (std::size_t i = 0; i < f.got.size(); ++i) matched += matches(f, f.got[i] / factor, i) ? 1 : 0;
  if (static_cast<double>(matched) < 0.95 * static_cast<double>(f.size())) return std::nullopt;
  // The factor must repair at least half of the wrong elements; few wrong ones fit many factors by chance.
  if (matched - (f.size() - count_wrong(f)) < std::max<std::int64_t>(4, count_wrong(f) / 2))
    return std::nullopt;
  return Finding{Pattern::scaled, fmt::format("every value is {:.6g} times the right one", factor)};
}

std::optional<Finding> find_precision(const Field& f) {
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
                 fmt::format("{} of {} elements are off by at most {:.2g} of their magnitude", count_wrong(f),
                             f.size(), worst)};
}

}  // namespace ridgeline::verifier
