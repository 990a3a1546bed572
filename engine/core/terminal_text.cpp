#include "engine/core/terminal_text.hpp"

#include <algorithm>

namespace ridgeline {
namespace {

constexpr std::size_t gap = 2;  // blanks between columns
using Rows = std::vector<std::vector<std::string>>;

bool continues_character(char c) {
  return (c & 0xC0) == 0x80;
}

std::string cell_of(const std::vector<std::string>& row, std::size_t column) {
  return column < row.size() ? row[column] : std::string();
}

std::string filled(const std::string& text, std::size_t to, bool left) {
  const std::string space(to - std::min(to, text_width(text)), ' ');
  return left ? text + space : space + text;
}

std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
  }
  return widths;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The columns [first, last) beside the first column.
struct Part {
  std::size_t first, last;
};

std::vector<Part> parts_of(const std::vector<std::size_t>& widths, std::size_t columns) {
  if (columns == 0 || widths.size() < 2) return {{1, std::max<std::size_t>(1, widths.size())}};
  std::vector<Part> parts;
  for (std::size_t i = 1; i < widths.size();) {
    auto used = widths[0] + gap + widths[i];
    const auto first = i++;
    while (i < widths.size() && used + gap + widths[i] <= columns) used += gap + widths[i++];
    parts.push_back({first, i});
  }
  return parts;
}

class TableText {
 public:
  TableText(const Rows& rows, Alignment alignment, const Terminal& terminal, std::string_view indent)
      : rows_(rows), left_(alignment == Alignment::left), terminal_(terminal), indent_(indent) {
    widths_ = widths_of(rows);
    if (terminal.columns == 0 || widths_.size() < 2) return;
    const auto room = terminal.columns - std::min(terminal.columns, indent.size());
    auto all = widths_[0];
    for (std::size_t i = 1; i < widths_.size(); ++i) all += gap + widths_[i];
    if (all <= room) return;
    columns_ = room;
    const auto widest = *std::max_element(widths_.begin() + 1, widths_.end()) + gap;
    const auto left = std::min(room / 2, room - std::min(room, widest));
    widths_[0] = std::min(widths_[0], std::max<std::size_t>(8, left));
  }

  std::string text() const {
    std::string out;
    for (const auto& part : parts_of(widths_, columns_)) {
      if (!out.empty()) out += '\n';
      for (std::size_t row = 0; row < rows_.size(); ++row) out += row_text(rows_[row], part, row == 0);
    }
    return out;
  }

 private:
  std::string row_text(const std::vector<std::string>& row, const Part& part, bool head) const {
    const auto names = lines_of(wrapped(cell_of(row, 0), columns_ == 0 ? 0 : widths_[0], " "));
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto line = filled(cut_to_columns(names[i], columns_ == 0 ? 0 : widths_[0]),
                         widths_.empty() ? 0 : widths_[0], true);
      for (auto column = part.first; i == 0 && column < part.last; ++column)
        line += std::string(gap, ' ') + filled(cell_of(row, column), widths_[column], left_);
      line.erase(line.find_last_not_of(' ') + 1);
      out += indent_ + (head ? terminal_.bold(line) : line) + '\n';
    }
    return out;
  }

  const Rows& rows_;
  bool left_;
  const Terminal& terminal_;
  std::string indent_;
  std::vector<std::size_t> widths_;
  std::size_t columns_ = 0;  // 0: the table fits
};

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  bool in_code = false;  // of a colour: ESC [ … m
  for (const char c : text) {
    if (in_code)
      in_code = c != 'm';
    else if (c == '\x1b')
      in_code = true;
    else if (!continues_character(c))
      ++width;
  }
  return width;
}

std::string cut_to_columns(std::string_view text, std::size_t columns) {
  if (columns == 0 || text_width(text) <= columns) return std::string(text);
  std::size_t end = 0;
  for (std::size_t points = 0; end < text.size(); ++end)
    if (!continues_character(text[end]) && ++points == columns) break;
  return std::string(text.substr(0, end)) + "…";
}

std::string wrapped(std::string_view text, std::size_t columns, std::string_view indent) {
  if (columns == 0) return std::string(text);
  std::string out;
  std::size_t used = 0;  // of the line that is being written
  bool first = true;     // word of its line
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, end - at);
    const auto width = text_width(word);
    if (!first && used + 1 + width > columns) {
      out += '\n' + std::string(indent);
      used = text_width(indent);
      first = true;
    }
    if (!first) out += ' ';
    out += word;
    used += width + (first ? 0 : 1);
    first = false;
    at = end + 1;
  }
  return out;
}

std::string text_table(const std::vector<std::vector<std::string>>& rows, Alignment alignment,
                       const Terminal& terminal, std::string_view indent) {
  return TableText(rows, alignment, terminal, indent).text();
}

}  // namespace ridgeline
