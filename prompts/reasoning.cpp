#include "prompts/reasoning.hpp"

#include <array>

#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

struct Tag {
  std::string_view open, close;
};
constexpr auto tags = std::to_array<Tag>({{"<think>", "</think>"},
                                          {"<thinking>", "</thinking>"},
                                          {"<thought>", "</thought>"},
                                          {"<reasoning>", "</reasoning>"},
                                          {"◁think▷", "◁/think▷"},
                                          {"<|channel|>analysis<|message|>", "<|end|>"}});

bool starts_line(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

/// Returns the first opening tag at the start of a line; npos if there is none. Inside a line a tag is
/// quoted.
std::size_t find_opening(std::string_view text, const Tag& tag) {
  auto at = text.find(tag.open);
  while (at != npos && !starts_line(text, at)) at = text.find(tag.open, at + 1);
  return at;
}

}  // namespace

Reasoned split_reasoning(std::string_view text) {
  Reasoned result;
  const auto low = lower(text);  // the same length: only ASCII changes
  std::string_view rest = text, rest_low = low;
  for (;;) {
    std::size_t open = npos, close = npos;
    const Tag* tag = nullptr;
    // The earliest tag of any kind: reasoning of one kind may mention the tags of another.
    for (const auto& known : tags) {
      const auto opens = find_opening(rest_low, known), closes = rest_low.find(known.close);
      if (opens < open && opens <= closes) {
        tag = &known;
        open = opens;
        close = rest_low.find(known.close, opens + known.open.size());
      } else if (closes < open && closes < opens) {
        // A closing tag without an opening one: the prompt's template opened it. That can only be the first
        // reasoning of an answer, and never gpt-oss's "<|end|>", which ends other channels too.
        if (!result.reasoning.empty() || known.open.substr(0, 2) == "<|") continue;
        tag = &known;
        open = 0;
        close = closes;
      }
    }
    if (!tag) break;
    const bool opened = find_opening(rest_low, *tag) == open;
    const auto begin = open + (opened ? tag->open.size() : 0);
    result.answer += rest.substr(0, open);
    if (close == npos) {
      result.reasoning += rest.substr(begin);
      result.unclosed = true;
      return result;
    }
    result.reasoning += rest.substr(begin, close - begin);
    rest.remove_prefix(close + tag->close.size());
    rest_low.remove_prefix(close + tag->close.size());
  }
  result.answer += rest;
  return result;
}

}  // namespace ridgeline::prompts
