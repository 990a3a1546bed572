#include "llm_clients/address.hpp"

#include <charconv>

namespace ridgeline::llm {
namespace {

/// Cuts "/<number>" off the end of `text`. Returns nothing, and leaves `text` alone, if it does not end so.
template <class Number>
std::optional<Number> take_last_number(std::string_view& text) {
  const auto slash = text.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto digits = text.substr(slash + 1);
  Number value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  text.remove_suffix(text.size() - slash);
  return value;
}

}  // namespace

std::string to_string(const CallAddress& address) {
  return address.task + '/' + address.strategy + '/' + std::to_string(address.seed) + '/' +
         std::to_string(address.step) + '/' + std::to_string(address.slot);
}

std::optional<CallAddress> parse_call_address(std::string_view text) {
  const auto slot = take_last_number<std::int64_t>(text);
  if (!slot) return std::nullopt;
  const auto step = take_last_number<std::int64_t>(text);
  if (!step) return std::nullopt;
  const auto seed = take_last_number<std::uint64_t>(text);
  if (!seed) return std::nullopt;
  // A strategy has no slash in its name, so the last slash separates it; all before it is the task.
  const auto slash = text.rfind('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size()) return std::nullopt;
  return CallAddress{.task = std::string(text.substr(0, slash)),
                     .strategy = std::string(text.substr(slash + 1)),
                     .seed = *seed,
                     .step = *step,
                     .slot = *slot};
}

}  // namespace ridgeline::llm
