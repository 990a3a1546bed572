#include "prompts/token_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "prompts/text.hpp"

namespace ridgeline::prompts {
namespace {

constexpr std::size_t bytes_a_token = 4;
constexpr std::size_t bytes_of_note = 32;  // "(1234 more left out)"

}  // namespace

int estimate_tokens(std::string_view text) {
  return static_cast<int>((text.size() + bytes_a_token - 1) / bytes_a_token);
}

void Excerpt::add(std::string text, int importance) {
  parts_.push_back({std::move(text), importance});
}

std::string Excerpt::within(int tokens) const {
  const auto bytes = static_cast<std::size_t>(std::max(tokens, 0)) * bytes_a_token;
  std::size_t whole = 0;
  for (const auto& part : parts_) whole += part.text.size() + 1;
  const bool all = whole <= bytes + 1;  // the last newline is not written

  // By importance first, to see what fits; then in the order of the text, to write it.
  std::vector<std::size_t> order(parts_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts_[a].importance > parts_[b].importance; });

  const std::size_t room = all ? whole : bytes - std::min(bytes, bytes_of_note);
  std::vector<std::string> kept(parts_.size());
  std::size_t used = 0, count = 0;
  for (const auto index : order) {
    const auto& text = parts_[index].text;
    const bool fits = used + text.size() + 1 <= room;
    // Nothing less important takes the room of a part that did not fit: the reader may rely on the order.
    if (!fits && count > 0) break;
    kept[index] = fits ? text : cut(text, room);
    if (!fits && kept[index].empty()) break;  // nothing of it is written, so it is left out
    used += kept[index].size() + 1;
    ++count;
  }

  std::string out;
  for (const auto& text : kept)
    if (!text.empty()) out += text + "\n";
  if (count < parts_.size()) out += fmt::format("({} more left out)\n", parts_.size() - count);
  if (!out.empty()) out.pop_back();
  return out;
}

}  // namespace ridgeline::prompts
