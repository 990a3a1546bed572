#include "engine/worker/judge/correctness/fallback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ridgeline::judge {
namespace {

constexpr std::size_t kMostNamed = 12;    // operators in a note
constexpr std::size_t kLongestName = 64;  // characters

/// Whether a name can be an operator's: the reply comes from the candidate's process, and goes into prompts.
bool is_operator(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == ':' || c == '.';
  });
}

}  // namespace

std::string operators_in_words(std::string_view reply) {
  std::string words;
  std::size_t named = 0, more = 0;
  while (!reply.empty()) {
    const auto line = reply.substr(0, reply.find('\n'));
    reply.remove_prefix(std::min(reply.size(), line.size() + 1));
    const auto space = line.find(' ');
    unsigned count = 0;
    if (space == std::string_view::npos || !is_operator(line.substr(0, space))) continue;
    std::from_chars(line.data() + space + 1, line.data() + line.size(), count);
    if (count == 0) continue;
    if (++named > kMostNamed) {
      ++more;
      continue;
    }
    words += fmt::format("{}{}", words.empty() ? "" : ", ", line.substr(0, space));
    if (count > 1) words += fmt::format(" ({} times)", count);
  }
  return more > 0 ? fmt::format("{} and {} more", words, more) : words;
}

void judge_fallback(FallbackPolicy policy, const std::string& operators, Verdict& verdict) {
  if (operators.empty()) return;
  const auto text = "computes by torch's operators: " + operators;
  switch (policy) {
    case FallbackPolicy::allow:
      verdict.notes.push_back(text);
      return;
    case FallbackPolicy::flag:
      verdict.flags.push_back(text);
      return;
    case FallbackPolicy::reject:
      verdict.at(Stage::correctness).status = Status::failed;
      verdict.at(Stage::correctness).reason = Reason::falls_back;
      verdict.at(Stage::correctness).detail = text;
      return;
  }
}

}  // namespace ridgeline::judge
