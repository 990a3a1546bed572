#include "engine/core/secret_cases.hpp"

#include <algorithm>
#include <cctype>

namespace ridgeline {
namespace {

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool names_word(std::string_view text, std::string_view word) {
  if (word.empty()) return false;  // an empty word would match everywhere
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word_character(text[at - 1]);
    const auto end = at + word.size();
    if (starts && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

}  // namespace

bool is_secret(const Case& task_case) {
  return task_case.hidden || task_case.final;
}

std::set<std::string> secret_cases(const Task& task) {
  std::set<std::string> names;
  for (const auto& task_case : task.cases)
    if (is_secret(task_case)) names.insert(task_case.name);
  return names;
}

bool names_any(std::string_view text, const std::set<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) { return names_word(text, name); });
}

}  // namespace ridgeline
