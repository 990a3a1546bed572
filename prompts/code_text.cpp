#include "prompts/code_text.hpp"

#include <algorithm>
#include <cctype>

#include "engine/core/signature.hpp"
#include "prompts/module_answers.hpp"
#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

bool is_c_like(Language language) {
  return traits(language).syntax == Syntax::c;
}
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Copies the source and replaces comments and literals by spaces, so that braces and names in them are not
/// taken for code.
class Blanker {
 public:
  Blanker(std::string_view source, Language language) : text_(source), c_like_(is_c_like(language)) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (const auto end = end_of_hidden(); end > at_)
        blank_to(end);
      else
        ++at_;
    }
    return std::move(text_);
  }

 private:
  bool here(std::string_view what) const { return std::string_view(text_).substr(at_, what.size()) == what; }
  std::size_t behind(std::string_view what, std::size_t from) const {
    const auto place = text_.find(what, from);
    return place == npos ? text_.size() : place + what.size();
  }
  std::size_t line_end(std::size_t from) const { return std::min(text_.find('\n', from), text_.size()); }

  /// Returns the end of the comment or literal that begins here; `at_` if none does.
  std::size_t end_of_hidden() const {
    if (c_like_) {
      if (here("//")) return line_end(at_);
      if (here("/*")) return behind("*/", at_ + 2);
      if (here("R\"") && (at_ == 0 || !is_word(text_[at_ - 1]))) return end_of_raw();
      const auto is_separator = [this] { return at_ > 0 && is_word(text_[at_ - 1]); };  // 1'000'000
      if (text_[at_] == '"' || (text_[at_] == '\'' && !is_separator())) return end_of_quoted(text_[at_]);
      return at_;
    }
    if (text_[at_] == '#') return line_end(at_);
    for (const std::string_view triple : {"\"\"\"", "'''"})
      if (here(triple)) return behind(triple, at_ + 3);
    if (text_[at_] == '"' || text_[at_] == '\'') return end_of_quoted(text_[at_]);
    return at_;
  }

  /// A literal ends with its line at the latest, so that an apostrophe in prose hides no more than that.
  std::size_t end_of_quoted(char quote) const {
    auto end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text_.size());
  }

  /// Raw strings end with the delimiter that they begin with, of 16 characters at most.
  std::size_t end_of_raw() const {
    const auto open = text_.find('(', at_);
    if (open == npos || open - at_ > 18) return at_ + 2;
    return behind(")" + text_.substr(at_ + 2, open - at_ - 2) + "\"", open);
  }

  void blank_to(std::size_t end) {
    for (; at_ < end; ++at_)
      if (text_[at_] != '\n') text_[at_] = ' ';
  }

  std::string text_;
  bool c_like_;
  std::size_t at_ = 0;
};

/// Returns the end of the next occurrence of `word` as a whole word; npos if there is none.
std::size_t behind_word(std::string_view code, std::string_view word, std::size_t from) {
  for (auto at = code.find(word, from); at != npos; at = code.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool whole = (at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]));
    if (whole) return end;
  }
  return npos;
}

/// Returns the end of the bracket that closes the one at `open`; npos if nothing does.
std::size_t behind_closing(std::string_view code, std::size_t open) {
  int depth = 0;
  for (auto at = open; at < code.size(); ++at) {
    if (code[at] == '(') ++depth;
    if (code[at] == ')' && --depth == 0) return at + 1;
  }
  return npos;
}

/// Recognises `name ( … ) [noexcept or attributes] {`. A declaration ends with `;`, a call with `,` or `)`.
bool defines_c_function(std::string_view code, std::string_view name) {
  for (auto at = behind_word(code, name, 0); at != npos; at = behind_word(code, name, at)) {
    const auto open = code.find_first_not_of(" \t\n", at);
    if (open == npos || code[open] != '(') continue;
    const auto closed = behind_closing(code, open);
    if (closed == npos) return false;
    const auto body = code.find_first_of("{;,=)", closed);
    if (body != npos && code[body] == '{') return true;
  }
  return false;
}

/// Recognises `def name` and `class name`: the keyword decides, since Python declares nothing.
bool defines_python(std::string_view code, std::string_view keyword, std::string_view name) {
  for (auto at = behind_word(code, keyword, 0); at != npos; at = behind_word(code, keyword, at)) {
    const auto begin = code.find_first_not_of(" \t", at);
    if (begin == npos || code.substr(begin, name.size()) != name) continue;
    const auto end = begin + name.size();
    if (end == code.size() || !is_word(code[end])) return true;
  }
  return false;
}

}  // namespace

std::string code_only(std::string_view source, Language language) {
  return Blanker(source, language).run();
}

bool defines_module(std::string_view source, Language language) {
  return defines_python(code_only(source, language), "class", "ModelNew");
}

bool defines_entry_point(std::string_view source, const Task& task, Language language) {
  const auto code = code_only(source, language);
  if (is_c_like(language)) return defines_c_function(code, entry_point(task));
  const auto form = answer_form(task, language).value_or(Form::module);
  if (module_may_answer(task, language) && defines_module(source, language)) return true;
  return defines_python(code, form == Form::module && !answers_with_function(task) ? "class" : "def",
                        entry_point(task, form));
}

bool is_balanced(std::string_view source, Language language) {
  std::string open;
  for (const char c : code_only(source, language)) {
    if (c == '{' || c == '(' || c == '[') open += c;
    if (c != '}' && c != ')' && c != ']') continue;
    const char wanted = c == '}' ? '{' : c == ')' ? '(' : '[';
    if (open.empty() || open.back() != wanted) return false;
    open.pop_back();
  }
  return open.empty();
}

bool defines_kernel(std::string_view source, const Task& task, Language language) {
  const auto code = code_only(source, language);
  return is_c_like(language) ? defines_c_function(code, entry_point(task))
                             : defines_python(code, "def", entry_point(task));
}

bool looks_like_file(std::string_view source, const Task& task, Language language) {
  const auto code = code_only(source, language);
  if (behind_word(code, entry_point(task), 0) != npos) return true;
  if (is_c_like(language)) return code.find("#include") != npos || source.find("extern \"C\"") != npos;
  return behind_word(code, "import", 0) != npos;
}

}  // namespace ridgeline::prompts
