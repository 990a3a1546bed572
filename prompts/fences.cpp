#include "prompts/fences.hpp"

#include <algorithm>
#include <optional>

#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::size_t indent = 0;
  std::string info;
};

/// Reads the language: "{.cpp title=x}" and "C++ kernel.cpp" are "cpp" and "c++".
std::string info_of(std::string_view text) {
  text = trim(text);
  while (!text.empty() && (text.front() == '{' || text.front() == '.')) text.remove_prefix(1);
  const auto end = text.find_first_of(" \t,{}:=");
  return lower(text.substr(0, end));
}

std::size_t run_at(std::string_view text, std::size_t at) {
  const auto end = text.find_first_not_of(text[at], at);
  return (end == npos ? text.size() : end) - at;
}

std::optional<Fence> fence_from(std::string_view line, std::size_t at) {
  if (at >= line.size() || (line[at] != '`' && line[at] != '~')) return std::nullopt;
  const auto length = run_at(line, at);
  const auto rest = line.substr(at + length);
  if (length < 3 || rest.find('`') != npos) return std::nullopt;
  return Fence{line[at], length, at, info_of(rest)};
}

std::optional<Fence> opening_of_line(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first == npos ? std::nullopt : fence_from(line, first);
}

/// Finds a fence that begins a line, or ends a line of prose: "Here it is: ```cpp".
std::optional<Fence> opening(std::string_view line) {
  if (auto fence = opening_of_line(line)) return fence;
  const auto inside = line.find("```");
  if (inside == npos) return std::nullopt;
  auto fence = fence_from(line, inside);
  // Behind prose the info string must be a single word, or a sentence about fences would open a block.
  const bool word = fence && trim(line.substr(inside + fence->length)).find_first_of(" \t.") == npos;
  if (!word) return std::nullopt;
  fence->indent = 0;
  return fence;
}

bool closes(std::string_view line, const Fence& open) {
  const auto text = trim(line);
  return !text.empty() && text.front() == open.mark && run_at(text, 0) == text.size() &&
         text.size() >= open.length;
}

/// Returns the code before a closing fence that has no line of its own, as in "}```".
std::optional<std::string_view> code_before_closing(std::string_view line, const Fence& open) {
  const auto text = trim_right(line);
  const auto last = text.find_last_not_of(open.mark);
  if (last == npos || text.size() - last - 1 < open.length) return std::nullopt;
  const auto code = trim_right(text.substr(0, last + 1));
  const bool ends_code = !code.empty() && (code.back() == '}' || code.back() == ';' || code.back() == ')');
  return ends_code && code.find(open.mark) == npos ? std::optional(code) : std::nullopt;
}

bool is_markdown(const Block& block) {
  return block.info == "markdown" || block.info == "md" || (block.info.empty() && is_blank(block.body));
}

std::string_view without_indent(std::string_view line, std::size_t indent) {
  std::size_t removed = 0;
  while (removed < indent && removed < line.size() && (line[removed] == ' ' || line[removed] == '\t'))
    ++removed;
  return line.substr(removed);
}

/// Reads lines one by one; `open` is the block being read.
class FenceReader {
 public:
  void take(std::string_view line, std::size_t offset) {
    if (!fence_) {
      if (auto fence = opening(line)) start(std::move(*fence), offset);
      return;
    }
    auto inner = opening_of_line(line);
    if (closes(line, *fence_)) {
      if (depth_ == 0) return finish(true);
      --depth_;
    } else if (inner && !inner->info.empty() && inner->mark == fence_->mark &&
               inner->length <= fence_->length) {
      // A fence with a language inside code: the block before was never closed, and this one begins the next.
      if (!is_markdown(block_) && depth_ == 0) {
        finish(false);
        return start(std::move(*inner), offset);
      }
      ++depth_;
    } else if (const auto code = code_before_closing(line, *fence_); code && depth_ == 0) {
      append(*code);
      return finish(true);
    }
    append(line);
  }

  std::vector<Block> end() {
    if (fence_) finish(false);
    return std::move(blocks_);
  }

 private:
  void start(Fence fence, std::size_t offset) {
    block_ = Block{fence.info, "", false, offset};
    fence_ = std::move(fence);
    depth_ = 0;
  }
  void append(std::string_view line) {
    block_.body += without_indent(line, fence_->indent);
    block_.body += '\n';
  }
  void finish(bool complete) {
    block_.complete = complete;
    blocks_.push_back(std::move(block_));
    fence_.reset();
  }

  std::vector<Block> blocks_;
  Block block_;
  std::optional<Fence> fence_;
  int depth_ = 0;
};

std::vector<Block> blocks_in(std::string_view text, int depth) {
  FenceReader reader;
  std::size_t offset = 0;
  for (const auto line : lines_of(text)) {
    reader.take(line, offset);
    offset += line.size() + 1;
  }
  std::vector<Block> all;
  for (auto& block : reader.end()) {
    const bool may_hold = block.info.empty() || block.info == "markdown" || block.info == "md";
    // Three levels suffice for an answer in Markdown that is quoted once more, and they bound the recursion.
    auto inner = may_hold && depth < 3 ? blocks_in(block.body, depth + 1) : std::vector<Block>{};
    if (inner.empty()) {
      all.push_back(std::move(block));
      continue;
    }
    for (auto& nested : inner) {
      nested.complete = nested.complete || block.complete;
      nested.begin += block.begin;
      all.push_back(std::move(nested));
    }
  }
  return all;
}

}  // namespace

std::vector<Block> code_blocks(std::string_view text) {
  return blocks_in(text, 0);
}

}  // namespace ridgeline::prompts
