// Where a model call stands in a campaign. Recordings and mailboxes are addressed by it and not by the
// prompt's hash, because prompts carry this machine's times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/names.hpp"

namespace ridgeline::llm {

using ridgeline::to_string;  // of enums: the one below would hide it

/// `strategy` is the name of the preset as the campaign runs it, without '/'. `step` counts the calls of a
/// trajectory, `slot` the calls that one step makes side by side; both from 0.
struct CallAddress {
  std::string task;  ///< may contain '/'
  std::string strategy;
  std::uint64_t seed = 0;
  std::int64_t step = 0;
  std::int64_t slot = 0;

  bool operator==(const CallAddress&) const = default;
};

/// "task/strategy/seed/step/slot".
std::string to_string(const CallAddress& address);

/// The inverse, read from the right; nothing where `text` has fewer parts or the numbers are none.
std::optional<CallAddress> parse_call_address(std::string_view text);

}  // namespace ridgeline::llm
