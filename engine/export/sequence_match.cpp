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

}  // namespace ridgeline::exporting
