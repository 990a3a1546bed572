#include "prompts/edits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

constexpr std::size_t longest_quoted_line = 80;

/// Whether a line is at least five of `mark`, with one of `words` or nothing behind. Models write fewer or
/// more than the seven that they are asked for.
bool is_marker(std::string_view line, char mark, std::initializer_list<std::string_view> words) {
  const auto text = trim(line);
  const auto rest = text.find_first_not_of(mark);
  const auto run = rest == std::string_view::npos ? text.size() : rest;
  if (run < 5) return false;
  const auto word = lower(trim(text.substr(run)));
  return word.empty() || std::any_of(words.begin(), words.end(), [&](std::string_view known) {
           return word.substr(0, known.size()) == known;
         });
}

/// Requires a word behind the marks: a line of `<` alone begins nothing.
bool begins(std::string_view line) {
  return is_marker(line, '<', {"search", "original"}) &&
         trim(line).find_first_not_of('<') != std::string_view::npos;
}
bool divides(std::string_view line) {
  return is_marker(line, '=', {});
}
bool ends(std::string_view line) {
  return is_marker(line, '>', {"replace", "updated"});
}

using TextLines = std::vector<std::string>;

/// Removes blank lines at the edges of a search, which are mostly the answer's layout, and those of the
/// replacement with them.
void drop_blank_edges(Edit& edit) {
  auto &search = edit.search, &replace = edit.replace;
  while (!search.empty() && is_blank(search.front())) {
    search.erase(search.begin());
    if (!replace.empty() && is_blank(replace.front())) replace.erase(replace.begin());
  }
  while (!search.empty() && is_blank(search.back())) {
    search.pop_back();
    if (!replace.empty() && is_blank(replace.back())) replace.pop_back();
  }
}

enum class Match { exact, trailing_space, any_space };

bool same(std::string_view a, std::string_view b, Match match) {
  if (match == Match::exact) return a == b;
  if (match == Match::trailing_space) return trim_right(a) == trim_right(b);
  return trim(a) == trim(b);
}

std::vector<std::size_t> places_of(const TextLines& search, const TextLines& source, Match match) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at + search.size() <= source.size(); ++at) {
    const auto begin = source.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::equal(search.begin(), search.end(), begin,
                   [match](const auto& a, const auto& b) { return same(a, b, match); }))
      places.push_back(at);
  }
  return places;
}

std::string_view indent_of(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : line.substr(0, first);
}

/// Changes the replacement's indentation by the difference between source and search in the first line that
/// is not blank.
TextLines reindented(const TextLines& replace, std::string_view wanted, std::string_view given) {
  TextLines out;
  for (const auto& line : replace) {
    std::string_view text = line;
    if (is_blank(text)) {
      out.emplace_back();
    } else if (wanted.size() >= given.size()) {
      out.push_back(std::string(wanted.substr(given.size())) + line);
    } else {
      const auto surplus = std::min(given.size() - wanted.size(), indent_of(text).size());
      out.emplace_back(text.substr(surplus));
    }
  }
  return out;
}

/// Names the first line that the source lacks, so that the model sees what it remembered wrongly.
std::string why_nowhere(const TextLines& search, const TextLines& source) {
  for (const auto& line : search) {
    if (is_blank(line)) continue;
    const bool there = std::any_of(source.begin(), source.end(),
                                   [&](const auto& other) { return same(line, other, Match::any_space); });
    if (!there) return fmt::format("the kernel has no line `{}`", cut(trim(line), longest_quoted_line));
  }
  return "its lines occur in the kernel, but not together in this order";
}

/// Applies one edit to `source`; returns the reason if it does not apply, else "".
std::string apply(Edit edit, TextLines& source) {
  if (edit.search.empty() && edit.near_line > 0) {  // an insertion of a unified diff without context
    const auto at = std::min(static_cast<std::size_t>(edit.near_line), source.size());
    source.insert(source.begin() + static_cast<std::ptrdiff_t>(at), edit.replace.begin(), edit.replace.end());
    return "";
  }
  if (std::all_of(edit.search.begin(), edit.search.end(), [](const auto& line) { return is_blank(line); }))
    return "it searches for nothing, so it has no place";

  std::vector<std::size_t> places;
  auto match = Match::exact;
  // The strictest comparison that matches at all decides: a looser one could match more places.
  for (const bool keep_edges : {true, false}) {
    if (!keep_edges) drop_blank_edges(edit);
    for (const auto looser : {Match::exact, Match::trailing_space, Match::any_space})
      if (places.empty()) places = places_of(edit.search, source, match = looser);
    if (!places.empty()) break;
  }
  if (places.empty()) return why_nowhere(edit.search, source);
  if (places.size() > 1 && edit.near_line > 0) {
    const auto distance = [&](std::size_t place) {
      return std::labs(static_cast<long>(place) + 1 - edit.near_line);
    };
    places = {*std::min_element(places.begin(), places.end(),
                                [&](auto a, auto b) { return distance(a) < distance(b); })};
  }
  if (places.size() > 1) {
    for (auto& place : places) ++place;
    if (places.size() > 5) places.resize(5);  // a line `}` occurs a hundred times
    return fmt::format(
        "its lines occur several times in the kernel (at lines {}): give more of the lines around",
        fmt::join(places, ", "));
  }
  auto replace = edit.replace;
  // Models drop the indentation of a class or namespace: what they replace keeps the source's.
  if (match == Match::any_space) {
    const auto first =
        std::find_if(edit.search.begin(), edit.search.end(), [](const auto& l) { return !is_blank(l); });
    const auto index = places[0] + static_cast<std::size_t>(first - edit.search.begin());
    replace = reindented(replace, indent_of(source[index]), indent_of(*first));
  }
  const auto begin = source.begin() + static_cast<std::ptrdiff_t>(places[0]);
  const auto next = source.erase(begin, begin + static_cast<std::ptrdiff_t>(edit.search.size()));
  source.insert(next, replace.begin(), replace.end());
  return "";
}

/// Returns the line number of "@@ -12,7 +12,9 @@"; 0 if there is none.
int hunk_line(std::string_view header) {
  const auto minus = header.find('-');
  int line = 0;
  if (minus != std::string_view::npos)
    std::from_chars(header.data() + minus + 1, header.data() + header.size(), line);
  return line;
}

}  // namespace

Edits search_replace_edits(std::string_view text) {
  Edits result;
  enum { outside, in_search, in_replace } where = outside;
  std::size_t offset = 0;
  for (const auto line : lines_of(text)) {
    const auto at = offset;
    offset += line.size() + 1;
    if (begins(line)) {
      if (result.edits.empty()) result.begin = at;
      if (where != outside) break;  // the edit before has no end, and is reported
      result.edits.emplace_back();
      where = in_search;
    } else if (where == in_search && divides(line)) {
      where = in_replace;
    } else if (where == in_replace && ends(line)) {
      where = outside;
    } else if (where == in_search) {
      result.edits.back().search.emplace_back(line);
    } else if (where == in_replace) {
      result.edits.back().replace.emplace_back(line);
    }
  }
  if (where != outside)
    result.problem = fmt::format("edit {} is not finished: it has no {}", result.edits.size(),
                                 where == in_search ? "`=======`" : "`>>>>>>> REPLACE`");
  return result;
}

bool looks_like_unified_diff(std::string_view text, std::string_view info) {
  if (info == "diff" || info == "patch" || info == "udiff") return true;
  bool header = false, hunk = false;
  for (const auto line : lines_of(text)) {
    header = header || line.substr(0, 4) == "--- " || line.substr(0, 11) == "diff --git ";
    hunk = hunk || line.substr(0, 4) == "@@ -";
  }
  return header && hunk;
}

Edits unified_edits(std::string_view diff) {
  Edits result;
  const auto lines = lines_of(diff);
  // Models leave out hunk headers: then the whole text is one hunk without a place.
  const bool has_hunks = std::any_of(lines.begin(), lines.end(),
                                     [](std::string_view line) { return line.substr(0, 2) == "@@"; });
  bool inside = !has_hunks;
  if (inside) result.edits.emplace_back();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = lines[i];
    const bool file_header =
        line.substr(0, 4) == "--- " && i + 1 < lines.size() && lines[i + 1].substr(0, 4) == "+++ ";
    if (file_header) {
      ++i;
      inside = !has_hunks;
    } else if (line.substr(0, 2) == "@@") {
      result.edits.push_back(Edit{{}, {}, hunk_line(line)});
      inside = true;
    } else if (line.substr(0, 5) == "diff " || line.substr(0, 6) == "index ") {
      inside = !has_hunks;
    } else if (inside && line.substr(0, 1) == "+") {
      result.edits.back().replace.emplace_back(line.substr(1));
    } else if (inside && line.substr(0, 1) == "-") {
      result.edits.back().search.emplace_back(line.substr(1));
    } else if (inside && line.substr(0, 1) != "\\") {  // not "\ No newline at end of file"
      const auto text = line.substr(0, 1) == " " ? line.substr(1) : line;
      result.edits.back().search.emplace_back(text);
      result.edits.back().replace.emplace_back(text);
    }
  }
  const bool changes = std::any_of(result.edits.begin(), result.edits.end(),
                                   [](const Edit& edit) { return edit.search != edit.replace; });
  if (!changes) result.problem = "the diff adds and removes nothing";
  return result;
}

Edited apply_edits(std::string_view source, const std::vector<Edit>& edits) {
  TextLines lines;
  for (const auto line : lines_of(source)) lines.emplace_back(line);
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const auto problem = apply(edits[i], lines);
    if (!problem.empty())
      return {std::nullopt, fmt::format("edit {} of {} does not apply: {}", i + 1, edits.size(), problem)};
  }
  return {fmt::format("{}\n", fmt::join(lines, "\n")), ""};
}

}  // namespace ridgeline::prompts
