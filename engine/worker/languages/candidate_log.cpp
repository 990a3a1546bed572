#include "engine/worker/languages/candidate_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include "engine/core/signature.hpp"
#include "engine/worker/languages/open_end.hpp"
#include "engine/worker/languages/trampoline.hpp"

namespace ridgeline::languages {
namespace {

enum class Whose { author, check, other };

/// A message with the lines that belong to it: those before it that say where, and the code it quotes.
struct Message {
  std::string text;  ///< whole lines
  std::string file;
  int line = 0;
  bool error = false, note = false;
  std::string said;  ///< without place and severity
  Whose whose = Whose::other;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// "f:3:1: error: said", "f(3): error #20-D: said", "At end of source: error: said"; nothing for other lines.
std::optional<Message> head_of(const std::string& line) {
  static const std::regex gcc{R"(^([^\s:(][^:(]*):(\d+):(?:\d+:)? (fatal error|error|warning|note): (.*)$)"};
  static const std::regex nvcc{
      R"(^([^\s:(][^:(]*)\((\d+)\): (catastrophic error|error|warning|remark)[^:]*: (.*)$)"};
  static const std::regex at_end{R"(^At end of source: (?:catastrophic )?error[^:]*: (.*)$)"};
  if (line.size() > 4000) return std::nullopt;  // a regular expression takes the stack for each character
  std::smatch found;
  Message one;
  if (std::regex_match(line, found, at_end)) {
    one.file = kCheckFile;
    one.error = true;
    one.said = found[1];
    return one;
  }
  if (!std::regex_match(line, found, gcc) && !std::regex_match(line, found, nvcc)) return std::nullopt;
  one.file = found[1];
  one.line = std::stoi(found[2].str().substr(0, 9));
  const auto severity = found[3].str();
  one.error = severity.find("error") != std::string::npos;
  one.note = severity == "note";
  one.said = found[4];
  return one;
}

/// Says where, for the message below.
bool leads(const std::string& line) {
  constexpr auto leading = std::to_array<std::string_view>(
      {": In ", ": At global scope:", "In file included from ", "                 from "});
  return std::ranges::any_of(leading,
                             [&](std::string_view part) { return line.find(part) != std::string::npos; });
}

std::vector<Message> messages_of(const std::string& log) {
  std::vector<Message> all;
  std::string before;  // lines that lead to the next one
  for (const auto& line : lines_of(log)) {
    if (auto head = head_of(line)) {
      head->text = std::exchange(before, {}) + line + "\n";
      all.push_back(std::move(*head));
    } else if (leads(line)) {
      before += line + "\n";
    } else if (all.empty() || !before.empty()) {
      all.push_back({});  // what no message stands above
      all.back().text = std::exchange(before, {}) + line + "\n";
    } else {
      all.back().text += line + "\n";
    }
  }
  if (!before.empty()) {
    all.push_back({});
    all.back().text = before;
  }
  return all;
}

class Mapper {
 public:
  Mapper(const std::string& log, const Task& task, Language language, std::string_view source)
      : file_(source_file(language)),
        entry_(entry_point(task)),
        source_(source),
        messages_(messages_of(log)) {
    std::string_view rest = source;
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      lines_.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    last_ = static_cast<int>(lines_.size());
    while (last_ > 1 && line(last_).find_first_not_of(" \t\r") == std::string_view::npos) --last_;
  }

  std::string map(const std::string& log) {
    bool consequences = false, own_errors = false;
    for (auto& one : messages_) {
      one.whose = whose(one);
      consequences = consequences || (one.whose == Whose::check && one.error && !is_the_checks(one));
      own_errors = own_errors || (one.whose == Whose::author && one.error);
    }
    if (!consequences) return log;
    std::string mapped;
    const auto open = open_at_end(source_);
    if (open)
      mapped = told_of(*open);
    else if (!own_errors)
      mapped = first_at_last_line();
    bool last_kept = true;
    for (const auto& one : messages_) {
      // A note goes with what it explains.
      const bool kept = one.note                      ? last_kept
                        : one.whose != Whose::check   ? true
                        : open || !is_the_checks(one) ? false
                                                      : !own_errors || !says_it_is_missing(one);
      last_kept = kept;
      if (kept) mapped += at_the_end_in_words(one);
    }
    return mapped;
  }

 private:
  std::string_view line(int number) const { return lines_.at(static_cast<std::size_t>(number) - 1); }

  Whose whose(const Message& one) const {
    if (one.file == kCheckFile ||
        one.text.find(fmt::format("included from {}:", kCheckFile)) != std::string::npos)
      return Whose::check;
    if (one.file != file_) return Whose::other;
    // Where a raw string has swallowed the directive that names the check, its lines count on.
    return one.line > static_cast<int>(lines_.size()) ? Whose::check : Whose::author;
  }

  /// What the check is there to say.
  bool is_the_checks(const Message& one) const {
    if (one.said.find("static assertion failed") != std::string::npos ||
        one.said.find("static_assert failed") != std::string::npos ||
        one.said.find("must have the signature") != std::string::npos)
      return true;
    return one.said.find(entry_) != std::string::npos;
  }

  /// Behind an error the compiler may have seen nothing of the entry point.
  static bool says_it_is_missing(const Message& one) {
    return one.said.find("has not been declared") != std::string::npos ||
           one.said.find("has no ") != std::string::npos ||
           one.said.find("no member named") != std::string::npos;
  }

  std::string quoted(int number) const {
    return number < 1 || number > static_cast<int>(lines_.size())
               ? std::string()
               : fmt::format("{:>5} | {}\n", number, line(number));
  }

  std::string told_of(const OpenEnd& open) const {
    return fmt::format(
        "{}:{}: error: the file ends inside {} of line {} is never closed\n{}{}:{}:{}: note: it is opened "
        "here\n{}",
        file_, last_, in_words(open.what), open.line, quoted(last_), file_, open.line, open.column,
        quoted(open.line));
  }

  /// The compiler's own words, where the author's text ends.
  std::string first_at_last_line() const {
    const auto first = std::ranges::find_if(messages_, [&](const Message& one) {
      return one.whose == Whose::check && one.error && !is_the_checks(one);
    });
    auto said = without_next_token(first->said);
    if (said.find("ridgeline_") != std::string::npos)
      said = "something that the file opens or begins is not finished at its end";
    return fmt::format("{}:{}: error: {}\n{}", file_, last_, said, quoted(last_));
  }

  /// "expected ';' before 'namespace'": that word is ours.
  static std::string without_next_token(const std::string& said) {
    static const std::regex next{R"( before '(namespace|typedef|extern|using)'( token)?$)"};
    static const std::regex at_end{" at end of input$"};
    return std::regex_replace(std::regex_replace(said, next, " at the end of the file"), at_end,
                              " at the end of the file");
  }

  /// Of a message at the author's last line, which may name what follows.
  std::string at_the_end_in_words(const Message& one) const {
    if (one.whose != Whose::author || one.line != last_) return one.text;
    const auto said = without_next_token(one.said);
    if (said == one.said) return one.text;
    auto text = one.text;
    if (const auto at = text.find(one.said); at != std::string::npos) text.replace(at, one.said.size(), said);
    return text;
  }

  std::string file_, entry_;
  std::string_view source_;
  std::vector<Message> messages_;
  std::vector<std::string_view> lines_;
  int last_ = 0;
};

}  // namespace

std::string of_candidate(const std::string& log, const Task& task, Language language,
                         std::string_view source) {
  // Whoever writes such names has met the check: then the compiler's words are about both.
  if (source.find("ridgeline_") != std::string_view::npos) return log;
  return Mapper(log, task, language, source).map(log);
}

}  // namespace ridgeline::languages
