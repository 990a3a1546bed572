#include "engine/worker/languages/open_end.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline::languages {
namespace {

using What = OpenEnd::What;

bool part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<OpenEnd> run() {
    while (at_ < text_.size() && !over_) {
      const char c = text_[at_];
      if (c == '/' && next() == '/')
        skip_line();
      else if (c == '/' && next() == '*')
        skip_block("/*", "*/", What::comment);
      else if (c == '"' && at_ > 0 && text_[at_ - 1] == 'R' && raw_prefix())
        skip_raw_string();
      else if (c == '"' || (c == '\'' && !separates_digits()))
        skip_literal(c);
      else if (c == '#' && begins_line_)
        directive();
      else
        code(c);
    }
    if (over_) return over_;
    if (!conditionals_.empty()) return conditionals_.back().opened;
    if (!open_.empty()) return open_.back();
    return std::nullopt;
  }

 private:
  struct Conditional {
    OpenEnd opened;
    std::vector<OpenEnd> before;  // what was open where it began
  };

  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }
  OpenEnd here(What what) const { return {what, line_, static_cast<int>(at_ - line_begin_) + 1}; }

  void step() {
    if (text_[at_] == '\n') {
      ++line_;
      line_begin_ = at_ + 1;
      begins_line_ = true;
    } else if (std::isspace(static_cast<unsigned char>(text_[at_])) == 0) {
      begins_line_ = false;
    }
    ++at_;
  }
  void step(std::size_t count) {
    for (std::size_t i = 0; i < count && at_ < text_.size(); ++i) step();
  }

  /// To the end of the line, or of those that a backslash joins to it.
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') step(text_[at_] == '\\' ? 2 : 1);
  }

  /// `over_` where it has no end.
  void skip_block(std::string_view begin, const std::string& end, What what) {
    const auto opened = here(what);
    const auto close = text_.find(end, at_ + begin.size());
    if (close == std::string_view::npos)
      over_ = opened;
    else
      step(close + end.size() - at_);
  }

  /// R, LR, uR, u8R and UR begin a raw string; FOOR does not.
  bool raw_prefix() const {
    auto begin = at_ - 1;
    while (begin > 0 && part_of_name(text_[begin - 1])) --begin;
    const auto prefix = text_.substr(begin, at_ - begin);
    return prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "u8R" || prefix == "UR";
  }
  void skip_raw_string() {
    const auto parenthesis = text_.find('(', at_);
    if (parenthesis == std::string_view::npos) return step();
    const std::string delimiter(text_.substr(at_ + 1, parenthesis - at_ - 1));
    skip_block("\"", ")" + delimiter + "\"", What::raw_string);
  }

  bool separates_digits() const {
    return at_ > 0 && std::isxdigit(static_cast<unsigned char>(text_[at_ - 1])) != 0 &&
           std::isxdigit(static_cast<unsigned char>(next())) != 0 && text_.find('\'', at_ + 1) != at_ + 2;
  }
  /// It ends with its line at the latest: the compiler says what is wrong then.
  void skip_literal(char quote) {
    step();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') step(text_[at_] == '\\' ? 2 : 1);
    if (at_ < text_.size() && text_[at_] == quote) step();
  }

  void directive() {
    const auto opened = here(What::conditional);
    auto word_begin = text_.find_first_not_of(" \t", at_ + 1);
    if (word_begin == std::string_view::npos) word_begin = text_.size();
    auto word_end = word_begin;
    while (word_end < text_.size() && part_of_name(text_[word_end])) ++word_end;
    const auto word = text_.substr(word_begin, word_end - word_begin);
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      conditionals_.push_back({opened, open_});
    } else if (!conditionals_.empty() && word.starts_with("el")) {
      open_ = conditionals_.back().before;
    } else if (!conditionals_.empty() && word == "endif") {
      conditionals_.pop_back();
    }
    skip_line();
  }

  void code(char c) {
    constexpr std::string_view opening = "{([", closing = "})]";
    constexpr What kinds[] = {What::brace, What::parenthesis, What::bracket};
    if (const auto kind = opening.find(c); kind != std::string_view::npos) {
      open_.push_back(here(kinds[kind]));
    } else if (const auto closed = closing.find(c); closed != std::string_view::npos) {
      // Whatever was left open within ends with it. A bracket that closes nothing of the source is ignored.
      const auto match = std::find_if(open_.rbegin(), open_.rend(),
                                      [&](const OpenEnd& one) { return one.what == kinds[closed]; });
      if (match != open_.rend()) open_.erase(std::prev(match.base()), open_.end());
    }
    step();
  }

  std::string_view text_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 1;
  bool begins_line_ = true;
  std::vector<OpenEnd> open_;
  std::vector<Conditional> conditionals_;
  std::optional<OpenEnd> over_;
};

}  // namespace

std::optional<OpenEnd> open_at_end(std::string_view source) {
  return Scanner(source).run();
}

std::string_view in_words(OpenEnd::What what) {
  switch (what) {
    case What::brace:
      return "an open brace: the '{'";
    case What::parenthesis:
      return "an open parenthesis: the '('";
    case What::bracket:
      return "an open bracket: the '['";
    case What::comment:
      return "a comment: the '/*'";
    case What::raw_string:
      return "a raw string: the R\"(";
    case What::conditional:
      return "a conditional: the #if";
  }
  return "";
}

}  // namespace ridgeline::languages
