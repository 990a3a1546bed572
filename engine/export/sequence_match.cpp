#include "engine/export/sequence_match.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ridgeline::exporting {
namespace {

using MatchedLines = std::vector<std::string>;

struct Block {
  int a = 0, b = 0, size = 0;
};

MatchedLines split_lines(const std::string& text) {
  MatchedLines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class Matcher {
 public:
  Matcher(const MatchedLines& a, const MatchedLines& b) : a_(a), b_(b) {
    for (int j = 0; j < size_of(b_); ++j) places_[b_[at(j)]].push_back(j);
    // difflib's "autojunk": in longer texts a line that is more than a hundredth of them begins no match.
    if (size_of(b_) < 200) return;
    const auto most = b_.size() / 100 + 1;
    std::erase_if(places_, [&](const auto& place) { return place.second.size() > most; });
  }

  /// All matching blocks in order, neighbours joined.
  std::vector<Block> blocks() const {
    std::vector<Block> found;
    collect(0, size_of(a_), 0, size_of(b_), found);
    std::ranges::sort(found, {}, &Block::a);
    std::vector<Block> joined_blocks;
    for (const auto& block : found) {
      auto* last = joined_blocks.empty() ? nullptr : &joined_blocks.back();
      if (last != nullptr && last->a + last->size == block.a && last->b + last->size == block.b)
        last->size += block.size;
      else
        joined_blocks.push_back(block);
    }
    return joined_blocks;
  }

 private:
  static int size_of(const MatchedLines& lines) { return static_cast<int>(lines.size()); }
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  /// The longest block in the ranges that begins first in a, and of those first in b.
  Block longest(int a_low, int a_high, int b_low, int b_high) const {
    Block best{a_low, b_low, 0};
    std::unordered_map<int, int>
        before;  // of the line before: place in b → length of the run that ends there
    for (int i = a_low; i < a_high; ++i) {
      std::unordered_map<int, int> now;
      const auto places = places_.find(a_[at(i)]);
      if (places != places_.end())
        for (const int j : places->second) {
          if (j < b_low) continue;
          if (j >= b_high) break;
          const auto run = before.find(j - 1);
          const int length = now[j] = (run == before.end() ? 0 : run->second) + 1;
          if (length > best.size) best = {i - length + 1, j - length + 1, length};
        }
      before = std::move(now);
    }
    while (best.a > a_low && best.b > b_low && a_[at(best.a - 1)] == b_[at(best.b - 1)])
      --best.a, --best.b, ++best.size;
    while (best.a + best.size < a_high && best.b + best.size < b_high &&
           a_[at(best.a + best.size)] == b_[at(best.b + best.size)])
      ++best.size;
    return best;
  }

  void collect(int a_low, int a_high, int b_low, int b_high, std::vector<Block>& found) const {
    const auto block = longest(a_low, a_high, b_low, b_high);
    if (block.size == 0) return;
    found.push_back(block);
    if (a_low < block.a && b_low < block.b) collect(a_low, block.a, b_low, block.b, found);
    const int a_end = block.a + block.size, b_end = block.b + block.size;
    if (a_end < a_high && b_end < b_high) collect(a_end, a_high, b_end, b_high, found);
  }

  const MatchedLines &a_, &b_;
  std::unordered_map<std::string_view, std::vector<int>> places_;  ///< line → where it stands in b
};

/// Lines with their ends.
MatchedLines split_with_ends(const std::string& text) {
  MatchedLines lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

/// A run of lines: the same in both, or replaced, deleted, inserted.
struct Opcode {
  bool equal = false;
  int a_low = 0, a_high = 0, b_low = 0, b_high = 0;
};

std::vector<Opcode> opcodes_of(const MatchedLines& a, const MatchedLines& b) {
  std::vector<Opcode> codes;
  int at_a = 0, at_b = 0;
  const auto change_up_to = [&](int a_end, int b_end) {
    if (at_a < a_end || at_b < b_end) codes.push_back({false, at_a, a_end, at_b, b_end});
  };
  for (const auto& block : Matcher(a, b).blocks()) {
    change_up_to(block.a, block.b);
    at_a = block.a + block.size;
    at_b = block.b + block.size;
    codes.push_back({true, block.a, at_a, block.b, at_b});
  }
  change_up_to(static_cast<int>(a.size()), static_cast<int>(b.size()));
  return codes;
}

/// Cuts equal runs down to the context around changes, where a group ends at a run longer than twice that.
std::vector<std::vector<Opcode>> grouped(std::vector<Opcode> codes) {
  constexpr int context = 3;
  std::vector<std::vector<Opcode>> groups;
  if (codes.empty()) return groups;
  if (auto& first = codes.front(); first.equal) {
    first.a_low = std::max(first.a_low, first.a_high - context);
    first.b_low = std::max(first.b_low, first.b_high - context);
  }
  if (auto& last = codes.back(); last.equal) {
    last.a_high = std::min(last.a_high, last.a_low + context);
    last.b_high = std::min(last.b_high, last.b_low + context);
  }
  std::vector<Opcode> group;
  for (auto code : codes) {
    if (code.equal && code.a_high - code.a_low > 2 * context) {
      group.push_back({true, code.a_low, std::min(code.a_high, code.a_low + context), code.b_low,
                       std::min(code.b_high, code.b_low + context)});
      groups.push_back(std::move(group));
      group.clear();
      code.a_low = std::max(code.a_low, code.a_high - context);
      code.b_low = std::max(code.b_low, code.b_high - context);
    }
    group.push_back(code);
  }
  if (!group.empty() && !(group.size() == 1 && group.front().equal)) groups.push_back(std::move(group));
  return groups;
}

/// "3,5": the first line, from 1, and how many; of one line its number alone.
std::string range_of(int low, int high) {
  const int length = high - low;
  if (length == 1) return std::to_string(low + 1);
  return std::to_string(length == 0 ? low : low + 1) + "," + std::to_string(length);
}

void add_lines(std::string& text, char mark, const MatchedLines& lines, int low, int high) {
  for (int line = low; line < high; ++line) text += mark + lines[static_cast<std::size_t>(line)];
}

}  // namespace

SequenceMatch match_sequences(const std::string& a, const std::string& b) {
  const auto lines_a = split_lines(a), lines_b = split_lines(b);
  SequenceMatch match{.lines_a = static_cast<int>(lines_a.size()),
                      .lines_b = static_cast<int>(lines_b.size())};
  int same = 0, at_a = 0, at_b = 0;
  for (const auto& block : Matcher(lines_a, lines_b).blocks()) {
    match.opcodes += (at_a < block.a || at_b < block.b ? 1 : 0) + 1;
    at_a = block.a + block.size;
    at_b = block.b + block.size;
    same += block.size;
  }
  if (at_a < match.lines_a || at_b < match.lines_b) ++match.opcodes;
  const int lines = match.lines_a + match.lines_b;
  if (lines > 0) match.ratio = 2.0 * same / lines;
  return match;
}

std::string unified_by_sequences(const std::string& a, const std::string& b, const std::string& name_a,
                                 const std::string& name_b) {
  const auto lines_a = split_with_ends(a), lines_b = split_with_ends(b);
  std::string text;
  for (const auto& group : grouped(opcodes_of(lines_a, lines_b))) {
    if (text.empty()) text = "--- " + name_a + "\n+++ " + name_b + "\n";
    text += "@@ -" + range_of(group.front().a_low, group.back().a_high) + " +" +
            range_of(group.front().b_low, group.back().b_high) + " @@\n";
    for (const auto& code : group) {
      add_lines(text, code.equal ? ' ' : '-', lines_a, code.a_low, code.a_high);
      if (!code.equal) add_lines(text, '+', lines_b, code.b_low, code.b_high);
    }
  }
  return text;
}

}  // namespace ridgeline::exporting
