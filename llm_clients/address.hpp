// The address of a model call within a campaign. Recordings and mailboxes look answers up by it, and not by
// the prompt's hash, because prompts carry times that were measured on one machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/names.hpp"

namespace ridgeline::llm {

using ridgeline::to_string;  // the overload below would hide those for enums

/// `strategy` is the name of the preset as the campaign runs it, without '/'. `step` counts the calls of a
/// trajectory; `slot` numbers the calls that one step makes side by side. Both begin at 0.
struct CallAddress {
  std::string task;  ///< may contain '/'
  std::string strategy;
  std::uint64_t seed = 0;
  std::int64_t step = 0;
  std::int64_t slot = 0;

  bool operator==(const CallAddress&) const = default;
};

/// Returns "task/strategy/seed/step/slot".
std::string to_string(const CallAddress& address);

/// Parses what `to_string` wrote, from the right, because a task's name may contain '/'. Returns nothing if
/// `text` has fewer than five parts, or if seed, step or slot is no number.
std::optional<CallAddress> parse_call_address(std::string_view text);

}  // namespace ridgeline::llm
