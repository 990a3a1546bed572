#include "prompts/template.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

[[noreturn]] void refuse(const std::string& file, int line, std::string_view problem) {
  throw BadInput(fmt::format("{}:{}: {}", file, line, problem));
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::string Template::at(const Use& use) const {
  return fmt::format("{}:{}", file_, use.line);
}

Template::Line Template::parse_line(std::string_view text, int number) {
  Line line{number, {}};
  while (!text.empty()) {
    const auto open = text.find("{{");
    if (open > 0) line.pieces.push_back({std::string(text.substr(0, open)), {}});
    if (open == std::string_view::npos) break;
    const auto close = text.find("}}", open);
    if (close == std::string_view::npos) refuse(file_, number, "\"{{\" without \"}}\" on its line");
    const auto name = text.substr(open + 2, close - open - 2);
    if (!is_name(name))
      refuse(file_, number,
             fmt::format("\"{{{{{}}}}}\" is no variable: between the braces stands a name of a-z, 0-9 and _",
                         name));
    uses_.push_back({std::string(name), number});
    line.pieces.push_back({{}, std::string(name)});
    text.remove_prefix(close + 2);
  }
  return line;
}

Template Template::parse(std::string file, std::string_view text) {
  Template parsed;
  parsed.file_ = std::move(file);
  const auto lines = lines_of(text);
  const bool marked = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return trim_right(line) == "# system" || trim_right(line) == "# user";
  });
  Lines* part = marked ? nullptr : &parsed.user_;
  bool has_system = false;
  int number = 0;
  for (const auto raw : lines) {
    const auto line = trim_right(raw);
    ++number;
    if (line == "# system") {
      if (has_system || parsed.is_prompt_)
        refuse(parsed.file_, number, "\"# system\" stands once, and first");
      has_system = true;
      part = &parsed.system_;
    } else if (line == "# user") {
      if (parsed.is_prompt_) refuse(parsed.file_, number, "\"# user\" stands once");
      parsed.is_prompt_ = true;
      part = &parsed.user_;
    } else if (part) {
      part->push_back(parsed.parse_line(line, number));
    } else if (!line.empty()) {
      refuse(parsed.file_, number, "text before \"# system\" or \"# user\" belongs to no part");
    }
  }
  if (has_system && !parsed.is_prompt_) refuse(parsed.file_, number, "there is no \"# user\" part");
  if (is_blank(text)) refuse(parsed.file_, 1, "the template is empty");
  return parsed;
}

Template::Text Template::render(const Lines& lines, const Values& values) {
  std::string out;
  auto stable = npos;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    std::string text;
    bool changes = false;
    for (const auto& piece : line.pieces) {
      if (piece.variable.empty()) {
        text += piece.text;
        continue;
      }
      const auto value = values(Use{piece.variable, line.number});
      text += value.text;
      changes = changes || value.changes;
    }
    // The prefix ends here even if the variable is empty now: the next request may have text in its place.
    if (changes && stable == npos) stable = out.size();
    // An empty section leaves no gap of blank lines behind.
    if (line.variable_alone() && text.empty()) {
      const bool blank_follows = i + 1 < lines.size() && lines[i + 1].pieces.empty();
      if (blank_follows) ++i;
      continue;
    }
    out += text;
    out += '\n';
  }
  // Blank lines before the first change belong to the change, so that a prefix ends alike in every template.
  const auto whole = trim(out);
  const auto lead = static_cast<std::size_t>(whole.data() - out.data());
  const auto before = trim_right(std::string_view(out).substr(0, stable)).size();
  return {std::string(whole), before > lead ? before - lead : 0, stable != npos};
}

}  // namespace ridgeline::prompts
