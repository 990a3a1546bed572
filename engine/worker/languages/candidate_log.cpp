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
  std::smatch match;
  Message message;
  if (std::regex_match(line, match, at_end)) {
    message.file = kCheckFile;
    message.error = true;
    message.said = match[1];
    return message;
  }
  if (!std::regex_match(line, match, gcc) && !std::regex_match(line, match, nvcc)) return std::nullopt;
  message.file = match[1];
  message.line = std::stoi(match[2].str().substr(0, 9));
  const auto severity = match[3].str();
  message.error = severity.find("error") != std::string::npos;
  message.note = severity == "note";
  message.said = match[4];
  return message;
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
    for (auto& message : messages_) {
      message.whose = whose(message);
      consequences =
          consequences || (message.whose == Whose::check && message.error && !is_the_checks(message));
      own_errors = own_errors || (message.whose == Whose::author && message.error);
    }
    if (!consequences) return log;
    std::string mapped;
    const auto open = open_at_end(source_);
    if (open)
      mapped = report_of(*open);
    else if (!own_errors)
      mapped = first_at_last_line();
    bool last_kept = true;
    for (const auto& message : messages_) {
      // A note goes with what it explains.
      const bool kept = message.note                      ? last_kept
                        : message.whose != Whose::check   ? true
                        : open || !is_the_checks(message) ? false
                                                          : !own_errors || !says_it_is_missing(message);
      last_kept = kept;
      if (kept) mapped += at_the_end_in_words(message);
    }
    return mapped;
  }

 private:
  std::string_view line(int number) const { return lines_.at(static_cast<std::size_t>(number) - 1); }

  Whose whose(const Message& message) const {
    if (message.file == kCheckFile ||
        message.text.find(fmt::format("included from {}:", kCheckFile)) != std::string::npos)
      return Whose::check;
    if (message.file != file_) return Whose::other;
    // Where a raw string has swallowed the directive that names the check, its lines count on.
    return message.line > static_cast<int>(lines_.size()) ? Whose::check : Whose::author;
  }

  /// Returns whether the message is what the check is there to say.
  bool is_the_checks(const Message& message) const {
    if (message.said.find("static assertion failed") != std::string::npos ||
        message.said.find("static_assert failed") != std::string::npos ||
        message.said.find("must have the signature") != std::string::npos)
      return true;
    return message.said.find(entry_) != std::string::npos;
  }

  /// Behind an error the compiler may have seen nothing of the entry point.
  static bool says_it_is_missing(const Message& message) {
    return message.said.find("has not been declared") != std::string::npos ||
           message.said.find("has no ") != std::string::npos ||
           message.said.find("no member named") != std::string::npos;
  }

  std::string quoted(int number) const {
    return number < 1 || number > static_cast<int>(lines_.size())
               ? std::string()
               : fmt::format("{:>5} | {}\n", number, line(number));
  }

  std::string report_of(const OpenEnd& open) const {
    return fmt::format(
        "{}:{}: error: the file ends inside {} of line {} is never closed\n{}{}:{}:{}: note: it is opened "
        "here\n{}",
        file_, last_, in_words(open.what), open.line, quoted(last_), file_, open.line, open.column,
        quoted(open.line));
  }

  /// The compiler's own words, where the author's text ends.
  std::string first_at_last_line() const {
    const auto first = std::ranges::find_if(messages_, [&](const Message& message) {
      return message.whose == Whose::check && message.error && !is_the_checks(message);
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

  /// Returns the message's text. At the author's last line it may name what follows, which is cut off.
  std::string at_the_end_in_words(const Message& message) const {
    if (message.whose != Whose::author || message.line != last_) return message.text;
    const auto said = without_next_token(message.said);
    if (said == message.said) return message.text;
    auto text = message.text;
    if (const auto at = text.find(message.said); at != std::string::npos)
      text.replace(at, message.said.size(), said);
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
