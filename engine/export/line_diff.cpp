#include "engine/export/line_diff.hpp"

#include <algorithm>
#include <sstream>

namespace ridgeline::exporting {
namespace {

using DiffLines = std::vector<std::string>;

// A search keeps the square of this many numbers, 64 MB. Sources of a few thousand lines need less.
constexpr int most_edits = 4000;

DiffLines lines_of(const std::string& text) {
  DiffLines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// furthest[d][k + d]: how far into `a` the best path with d edits reaches on diagonal k = x - y.
using Trace = std::vector<std::vector<int>>;

/// The position in `a` from which path d on diagonal k starts: one insertion or deletion after a path of d -
/// 1.
int step_to(const std::vector<int>& last, int d, int k) {
  const auto at = [&](int diagonal) { return last[static_cast<std::size_t>(diagonal + d - 1)]; };
  const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
  return down ? at(k + 1) : at(k - 1) + 1;
}

/// The rows of a search, and the place in both texts where its path ends.
struct Search {
  Trace trace;
  int x = 0, y = 0;
};

/// Ends a search at the place that its last row reached and that leaves the fewest lines of both texts.
void give_up(Search& searched, int n, int m) {
  const auto& row = searched.trace.back();
  const int d = static_cast<int>(searched.trace.size()) - 1;
  for (int k = -d; k <= d; k += 2) {
    const int x = row[static_cast<std::size_t>(k + d)], y = x - k;
    if (x < 0 || x > n || y < 0 || y > m || x + y < searched.x + searched.y) continue;
    searched.x = x;
    searched.y = y;
  }
}

/// Runs Myers' search and keeps every row, so that the path can be read back.
Search search(const DiffLines& a, const DiffLines& b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  Search searched;
  auto& trace = searched.trace;
  for (int d = 0; d <= n + m; ++d) {
    auto& row = trace.emplace_back(static_cast<std::size_t>(2 * d + 1), -1);
    for (int k = -d; k <= d; k += 2) {
      int x = d == 0 ? 0 : step_to(trace[static_cast<std::size_t>(d - 1)], d, k);
      while (x < n && x - k < m && x - k >= 0 &&
             a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)])
        ++x;
      row[static_cast<std::size_t>(k + d)] = x;
      if (x >= n && x - k >= m) {
        searched.x = n;
        searched.y = m;
        return searched;
      }
    }
    if (d == most_edits) break;
  }
  give_up(searched, n, m);
  return searched;
}

/// Reads the path back from its end. Lines behind its end count as replaced.
std::vector<DiffLine> walk_back(const Search& searched, const DiffLines& a, const DiffLines& b) {
  const auto& trace = searched.trace;
  std::vector<DiffLine> reversed;
  int x = searched.x, y = searched.y;
  for (auto i = b.size(); i > static_cast<std::size_t>(y);) reversed.push_back({LineChange::added, b[--i]});
  for (auto i = a.size(); i > static_cast<std::size_t>(x);) reversed.push_back({LineChange::removed, a[--i]});
  const auto match = [&] { reversed.push_back({LineChange::same, a[static_cast<std::size_t>(--x)]}), --y; };
  for (int d = static_cast<int>(trace.size()) - 1; d > 0; --d) {
    const int k = x - y;
    const auto& last = trace[static_cast<std::size_t>(d - 1)];
    const auto at = [&](int diagonal) { return last[static_cast<std::size_t>(diagonal + d - 1)]; };
    const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
    const int start = step_to(last, d, k);
    while (x > start) match();
    if (down)
      reversed.push_back({LineChange::added, b[static_cast<std::size_t>(--y)]});
    else
      reversed.push_back({LineChange::removed, a[static_cast<std::size_t>(--x)]});
  }
  while (x > 0 && y > 0) match();
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

int count_blocks(const std::vector<DiffLine>& lines) {
  int blocks = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool same = lines[i].change == LineChange::same;
    if (i == 0 || same != (lines[i - 1].change == LineChange::same)) ++blocks;
  }
  return blocks;
}

std::string range(int first, int count) {
  const auto start = std::to_string(count == 0 ? first : first + 1);
  return count == 1 ? start : start + "," + std::to_string(count);
}

}  // namespace

double LineDiff::similarity() const {
  return before + after == 0 ? 1 : 2.0 * same / static_cast<double>(before + after);
}

LineDiff diff_lines(const std::string& before, const std::string& after) {
  const auto a = lines_of(before), b = lines_of(after);
  LineDiff diff;
  diff.lines = walk_back(search(a, b), a, b);
  diff.before = static_cast<int>(a.size());
  diff.after = static_cast<int>(b.size());
  diff.same = static_cast<int>(std::count_if(diff.lines.begin(), diff.lines.end(), [](const DiffLine& line) {
    return line.change == LineChange::same;
  }));
  diff.blocks = count_blocks(diff.lines);
  return diff;
}

std::string unified(const LineDiff& diff, const std::string& before_name, const std::string& after_name) {
  constexpr std::size_t context = 3;
  const auto& lines = diff.lines;
  std::vector<bool> shown(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].change != LineChange::same)
      for (auto j = i - std::min(i, context); j < std::min(lines.size(), i + context + 1); ++j)
        shown[j] = true;

  std::string text;
  int line_a = 0, line_b = 0;
  for (std::size_t i = 0; i < lines.size();) {
    if (!shown[i]) {  // only equal lines are left out
      ++line_a, ++line_b, ++i;
      continue;
    }
    std::string hunk;
    int count_a = 0, count_b = 0;
    for (; i < lines.size() && shown[i]; ++i) {
      const auto change = lines[i].change;
      count_a += change != LineChange::added;
      count_b += change != LineChange::removed;
      hunk += (change == LineChange::same    ? ' '
               : change == LineChange::added ? '+'
                                             : '-') +
              lines[i].text + '\n';
    }
    if (text.empty()) text = "--- " + before_name + "\n+++ " + after_name + "\n";
    text += "@@ -" + range(line_a, count_a) + " +" + range(line_b, count_b) + " @@\n" + hunk;
    line_a += count_a;
    line_b += count_b;
  }
  return text;
}

}  // namespace ridgeline::exporting
