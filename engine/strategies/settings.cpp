#include "engine/strategies/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"

namespace ridgeline::strategies {
namespace {

// The enumerators stand in the order of the variant's alternatives; the assertions below pin that.
SettingType type_of(const SettingValue& value) {
  return static_cast<SettingType>(value.index());
}
static_assert(
    std::is_same_v<std::variant_alternative_t<std::size_t(SettingType::real), SettingValue>, double>);
static_assert(
    std::is_same_v<std::variant_alternative_t<std::size_t(SettingType::text), SettingValue>, std::string>);

void check_range(const SettingSpec& spec, double number, const std::string& where) {
  // Written so that a NaN is out of range as well.
  const bool above = !spec.min || number >= *spec.min;
  const bool below = !spec.max || number <= *spec.max;
  if (above && below) return;
  const auto range = spec.min && spec.max ? fmt::format("from {} to {}", *spec.min, *spec.max)
                     : spec.min           ? fmt::format("at least {}", *spec.min)
                                          : fmt::format("at most {}", *spec.max);
  throw BadInput(fmt::format("{} is {}; it must be {}", where, number, range));
}

}  // namespace

SettingValue checked(const SettingSpec& spec, const SettingValue& value, const std::string& owner) {
  const auto where = fmt::format("{}: setting \"{}\"", owner, spec.name);
  // YAML reads `1` as an integer, which is a fine temperature.
  SettingValue typed = value;
  if (spec.type == SettingType::real)
    if (const auto* whole = std::get_if<std::int64_t>(&value)) typed = static_cast<double>(*whole);
  if (type_of(typed) != spec.type)
    throw BadInput(fmt::format("{} is {} ({}); it must be of type {}: {}", where, to_text(value),
                               to_string(type_of(value)), to_string(spec.type), spec.help));
  if (const auto* whole = std::get_if<std::int64_t>(&typed))
    check_range(spec, static_cast<double>(*whole), where);
  if (const auto* real = std::get_if<double>(&typed)) check_range(spec, *real, where);
  if (const auto* text = std::get_if<std::string>(&typed); text && !spec.choices.empty())
    if (std::find(spec.choices.begin(), spec.choices.end(), *text) == spec.choices.end())
      throw BadInput(fmt::format("{} has no choice \"{}\"{}", where, *text, suggestion(*text, spec.choices)));
  return typed;
}

std::string to_text(const SettingValue& value) {
  return std::visit([](const auto& typed) { return fmt::format("{}", typed); }, value);
}

}  // namespace ridgeline::strategies
