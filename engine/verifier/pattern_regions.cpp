// Recognizes regions of wrong elements.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/verifier/pattern.hpp"

namespace ridgeline::verifier {
namespace {

/// The share of a missed region that must be wrong: some of its elements are right by chance.
constexpr double dense = 0.9;

bool is_dense(std::int64_t wrong, std::int64_t size) {
  return size > 0 && static_cast<double>(wrong) >= dense * static_cast<double>(size);
}

/// Whether a region is small enough to be the missed end of something: where more is wrong, a few elements at
/// the other end are right by chance.
bool is_minority(std::int64_t part, std::int64_t whole) {
  return 2 * part <= whole;
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

std::optional<Finding> find_tail(const Field& f) {
  const auto wrong = f.count_wrong();
  const auto first = std::find(f.wrong.begin(), f.wrong.end(), std::uint8_t{1}) - f.wrong.begin();
  if (is_minority(f.size() - first, f.size()) && is_dense(wrong, f.size() - first))
    return Finding{Pattern::tail, fmt::format("elements >= {} of {}", first, f.size())};
  if (f.rows < 2) return std::nullopt;
  // Columns missing in every row: a last tile that was not masked.
  const auto [from, to] = span_of(count_lines(f).columns);
  if (!is_minority(f.columns - from, f.columns) || to != f.columns - 1 ||
      !is_dense(wrong, f.rows * (f.columns - from)))
    return std::nullopt;
  return Finding{Pattern::tail, fmt::format("columns >= {} of every row ({} columns)", from, f.columns)};
}

std::optional<Finding> find_head(const Field& f) {
  const auto wrong = f.count_wrong();
  const auto last = f.wrong.rend() - std::find(f.wrong.rbegin(), f.wrong.rend(), std::uint8_t{1}) - 1;
  if (is_minority(last + 1, f.size()) && is_dense(wrong, last + 1))
    return Finding{Pattern::head, fmt::format("elements <= {} of {}", last, f.size())};
  if (f.rows < 2) return std::nullopt;
  const auto [from, to] = span_of(count_lines(f).columns);
  if (from != 0 || !is_minority(to + 1, f.columns) || !is_dense(wrong, f.rows * (to + 1)))
    return std::nullopt;
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
  if (area < 4 || !is_minority(area, f.size()) || !is_dense(f.count_wrong(), area)) return std::nullopt;
  return Finding{Pattern::tile, fmt::format("rows {} by columns {} of {} by {}", range_text(top, bottom),
                                            range_text(left, right), f.rows, f.columns)};
}

std::optional<Finding> find_border(const Field& f) {
  const auto planes = f.rows / f.height;
  std::int64_t width = 0;  // of the frame that holds all wrong elements
  bool above = false,
       left = false;  // whether a wrong element is nearest to the upper or lower edge, or to a side
  for (std::int64_t i = 0; i < f.size(); ++i) {
    if (!f.is_wrong(i)) continue;
    const auto row = i / f.columns % f.height, column = i % f.columns;
    const auto to_row = std::min(row, f.height - 1 - row),
               to_column = std::min(column, f.columns - 1 - column);
    width = std::max(width, std::min(to_row, to_column) + 1);
    above = above || to_row < to_column;
    left = left || to_column < to_row;
  }
  const auto inside = (f.height - 2 * width) * (f.columns - 2 * width);
  if (f.height <= 2 * width || f.columns <= 2 * width || !above || !left) return std::nullopt;
  // Half of the frame: which of its elements a missing or wrong padding spoils is for its values to say.
  if (2 * f.count_wrong() < planes * (f.height * f.columns - inside)) return std::nullopt;
  return Finding{Pattern::border, fmt::format("only elements within {} of the edges of each {} by {} plane",
                                              width, f.height, f.columns)};
}

}  // namespace ridgeline::verifier
