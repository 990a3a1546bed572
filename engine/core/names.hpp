// Maps enumerators to names, with one table for each enum. JSON, YAML, SQLite and messages use the same
// names.
//
// An enum takes part by an overload found by ADL:
//   constexpr auto enum_names(Color) { return std::to_array<Name<Color>>({{Color::red, "red"}, ...}); }
// The names are part of stored data: a test pins them, and none may be renamed without a migration.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

template <class E>
struct Name {
  E value;
  std::string_view name;
};

template <class E>
concept NamedEnum = requires(E e) { enum_names(e); };

/// Returns the name; "?" for a value outside of the enum.
template <NamedEnum E>
constexpr std::string_view to_string(E value) {
  for (const auto& entry : enum_names(E{}))
    if (entry.value == value) return entry.name;
  return "?";
}

/// Returns the value with that name; nullopt if there is none.
template <NamedEnum E>
constexpr std::optional<E> from_name(std::string_view name) {
  for (const auto& entry : enum_names(E{}))
    if (entry.name == name) return entry.value;
  return std::nullopt;
}

/// Returns all names in the order of the table, for messages and help.
template <NamedEnum E>
std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const auto& entry : enum_names(E{})) names.emplace_back(entry.name);
  return names;
}

}  // namespace ridgeline
