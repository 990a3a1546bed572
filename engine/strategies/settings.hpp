// The settings of strategies as data, so that a preset or a campaign file can be read strictly by somebody
// who knows YAML while no strategy does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::strategies {

enum class SettingType { integer, real, boolean, text };
constexpr auto enum_names(SettingType) {
  return std::to_array<Name<SettingType>>({{SettingType::integer, "integer"},
                                           {SettingType::real, "real"},
                                           {SettingType::boolean, "boolean"},
                                           {SettingType::text, "text"}});
}

using SettingValue = std::variant<std::int64_t, double, bool, std::string>;
using Settings = std::map<std::string, SettingValue>;

struct SettingSpec {
  std::string name;
  SettingType type = SettingType::integer;
  std::optional<SettingValue> default_value;  ///< nullopt: unset, and `help` says what that means
  std::optional<double> min, max;             ///< bounds of a number, both inclusive
  std::vector<std::string> choices;           ///< texts that are valid; empty permits any text
  std::string help;
};

/// Returns the value in the type of `spec`: a whole number given for a real becomes a real. Throws BadInput
/// naming `owner`, the setting, what was given and what is allowed.
SettingValue checked(const SettingSpec& spec, const SettingValue& value, const std::string& owner);

/// Writes the value as in a file: `3`, `0.5`, `true`, `g_e`.
std::string to_text(const SettingValue& value);

}  // namespace ridgeline::strategies
