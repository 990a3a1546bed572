#include "engine/compare/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/one_line.hpp"

namespace ridgeline::compare {
namespace {

constexpr std::size_t most_settings = 2;     // in a label; the table of what differs has all
constexpr std::size_t most_of_a_value = 40;  // bytes

const std::string generator = "models.generator.";

/// Whether every row should have it equal, whatever its strategy.
bool is_condition(const std::string& path) {
  const auto part = part_of(path);
  if (part == Part::models) return path.starts_with(generator);
  return part != Part::settings;
}

std::string value_in(const RowIdentity& row, const std::string& path) {
  const auto found = row.settings.find(path);
  return found == row.settings.end() ? "" : found->second;
}

/// Whether rows that should have the setting equal do not.
bool differs(const std::vector<RowIdentity>& rows, const std::string& path) {
  std::map<std::string, std::string> first;  // by strategy, or of all rows
  return std::any_of(rows.begin(), rows.end(), [&](const RowIdentity& row) {
    if (row.settings.empty()) return false;  // nothing is known of it
    const auto value = value_in(row, path);
    return first.emplace(is_condition(path) ? "" : row.strategy, value).first->second != value;
  });
}

/// Whether a label names the setting anyway.
bool is_named(const std::string& path) {
  return path == generator + "id" || path == "language";
}

/// "n 10", "critic temperature 0.4"
std::string setting_text(const std::string& path, const std::string& value) {
  auto name = path.substr(path.rfind('.') + 1);
  if (path.starts_with("models.") && !path.starts_with(generator)) {
    const auto role = path.substr(7, path.find('.', 7) - 7);
    name = role + " " + name;
  }
  return name + " " + value_text(value);
}

bool several(const std::vector<RowIdentity>& rows, std::string RowIdentity::* field) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const RowIdentity& row) { return row.*field != rows.front().*field; });
}

/// Whether the row differs in the setting from another row of its strategy, or in a condition from any.
bool sets_apart(const SettingDifference& difference, const std::vector<RowIdentity>& rows, std::size_t row) {
  for (std::size_t other = 0; other < rows.size(); ++other)
    if ((is_condition(difference.path) || rows[other].strategy == rows[row].strategy) &&
        !rows[other].settings.empty() && difference.values[other] != difference.values[row])
      return true;
  return false;
}

}  // namespace

std::string value_text(const std::string& value) {
  if (value.empty()) return "unset";
  const auto document = nlohmann::json::parse(value, nullptr, false);
  auto text = in_one_line(document.is_string() ? document.get<std::string>() : value);
  constexpr std::size_t hash_digits = 64;
  if (text.size() == hash_digits && text.find_first_not_of("0123456789abcdef") == std::string::npos)
    return text.substr(0, 8);
  if (text.empty()) return "none";
  if (text.size() <= most_of_a_value) return text;
  std::size_t end = most_of_a_value;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not within a character of several bytes
  return text.substr(0, end) + "…";
}

std::vector<SettingDifference> setting_differences(const std::vector<RowIdentity>& rows) {
  std::set<std::string> paths;
  for (const auto& row : rows)
    for (const auto& [path, value] : row.settings) paths.insert(path);
  std::vector<SettingDifference> differences;
  for (const auto& path : paths) {
    if (!differs(rows, path)) continue;
    SettingDifference difference{path, {}};
    for (const auto& row : rows) difference.values.push_back(value_in(row, path));
    differences.push_back(std::move(difference));
  }
  return differences;
}

std::vector<std::string> labels_of(const std::vector<RowIdentity>& rows,
                                   const std::vector<SettingDifference>& differences) {
  std::vector<std::string> labels;
  std::map<std::string, int> taken;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    auto label = row.strategy;
    const auto add = [&label](const std::string& more) { label += (label.empty() ? "" : " · ") + more; };
    if (several(rows, &RowIdentity::posed) && !row.posed.empty()) add(row.posed);
    if (several(rows, &RowIdentity::model)) add(row.model);
    if (several(rows, &RowIdentity::language)) add(row.language);
    if (several(rows, &RowIdentity::campaign)) add(row.campaign);
    std::size_t apart = 0;
    for (const auto& difference : differences)
      if (!is_named(difference.path) && sets_apart(difference, rows, i) && ++apart <= most_settings)
        add(setting_text(difference.path, difference.values[i]));
    if (apart > most_settings) add(fmt::format("+{} more", apart - most_settings));
    if (!row.side.empty()) add(row.side);
    if (label.empty()) label = "all";
    const int same = ++taken[label];
    labels.push_back(same == 1 ? label : fmt::format("{} ({})", label, same));
  }
  return labels;
}

std::vector<Part> differing_conditions(const RowIdentity& first, const RowIdentity& second) {
  std::set<Part> parts;
  if (first.model != second.model) parts.insert(Part::models);
  if (first.language != second.language) parts.insert(Part::language);
  if (!first.settings.empty() && !second.settings.empty())
    for (const auto& difference : setting_differences({first, second}))
      if (is_condition(difference.path)) parts.insert(part_of(difference.path));
  return {parts.begin(), parts.end()};
}

}  // namespace ridgeline::compare
