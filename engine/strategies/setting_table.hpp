// Ties the settings of one strategy to the members of its settings struct. Each setting is named, bounded and
// explained once, and its default is the member's initializer.
//
// Usage: SettingTable<S>().integer("rounds", &S::rounds, 1, 100, "calls").flag("hardware", &S::hardware,
// "…").
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/strategies/settings.hpp"

namespace ridgeline::strategies {

/// Describes the settings struct S. Each of the functions that add a setting names it, ties it to a member,
/// and returns the table.
template <class S>
class SettingTable {
 public:
  /// Adds an integer from `min` to `max`, both included.
  SettingTable& integer(std::string name, int S::* member, int min, int max, std::string help) {
    SettingSpec spec{std::move(name), SettingType::integer, std::int64_t{S{}.*member},
                     double(min),     double(max),          {},
                     std::move(help)};
    return add(std::move(spec), [member](S& into, const SettingValue& value) {
      into.*member = static_cast<int>(std::get<std::int64_t>(value));
    });
  }

  /// Adds a real from `min` to `max` that may be unset; `help` says what that means.
  SettingTable& real(std::string name, std::optional<double> S::* member, double min, double max,
                     std::string help) {
    std::optional<SettingValue> initial;
    if (const auto value = S{}.*member) initial = *value;
    SettingSpec spec{std::move(name), SettingType::real, initial, min, max, {}, std::move(help)};
    return add(std::move(spec),
               [member](S& into, const SettingValue& value) { into.*member = std::get<double>(value); });
  }

  /// Adds a boolean.
  SettingTable& flag(std::string name, bool S::* member, std::string help) {
    SettingSpec spec{std::move(name), SettingType::boolean, S{}.*member, {}, {}, {}, std::move(help)};
    return add(std::move(spec),
               [member](S& into, const SettingValue& value) { into.*member = std::get<bool>(value); });
  }

  /// Adds a text; any text is valid.
  SettingTable& text(std::string name, std::string S::* member, std::string help) {
    SettingSpec spec{std::move(name), SettingType::text, S{}.*member, {}, {}, {}, std::move(help)};
    return add(std::move(spec),
               [member](S& into, const SettingValue& value) { into.*member = std::get<std::string>(value); });
  }

  /// Adds a text that names an enumerator of E.
  template <NamedEnum E>
  SettingTable& choice(std::string name, E S::* member, std::string help) {
    const std::string initial(to_string(S{}.*member));
    SettingSpec spec{std::move(name), SettingType::text, initial, {}, {}, all_names<E>(), std::move(help)};
    return add(std::move(spec), [member](S& into, const SettingValue& value) {
      into.*member = from_name<E>(std::get<std::string>(value)).value();  // `checked` refused other texts
    });
  }

  const std::vector<SettingSpec>& specs() const { return specs_; }

  /// Returns the defaults overridden by `given`. Throws BadInput naming `owner` for an unknown name or a
  /// value out of bounds.
  S read(const Settings& given, const std::string& owner) const {
    S settings;
    for (const auto& [name, value] : given) {
      const auto at = index_of(name, owner);
      assign_[at](settings, checked(specs_[at], value, owner));
    }
    return settings;
  }

 private:
  using Assign = std::function<void(S&, const SettingValue&)>;

  SettingTable& add(SettingSpec spec, Assign assign) {
    specs_.push_back(std::move(spec));
    assign_.push_back(std::move(assign));
    return *this;
  }

  std::size_t index_of(const std::string& name, const std::string& owner) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].name == name) return i;
      names.push_back(specs_[i].name);
    }
    throw BadInput(owner + ": unknown setting \"" + name + "\"" + suggestion(name, names));
  }

  std::vector<SettingSpec> specs_;
  std::vector<Assign> assign_;  // writes the setting of the same index
};

}  // namespace ridgeline::strategies
