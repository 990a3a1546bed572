#include "engine/export/schema.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

std::string scalar_type(const json& value) {
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "bool";
  if (value.is_number_float()) return "float64";
  return value.is_number() ? "int64" : "";
}

std::string without_mark(std::string type) {
  if (type.ends_with('?')) type.pop_back();
  return type;
}

std::string departs(const json& value, const json& type, const std::string& place) {
  if (type.is_string()) {
    const auto name = type.get<std::string>();
    if (value.is_null()) return name.ends_with('?') ? "" : place + ": is null, not " + name;
    const auto is = scalar_type(value);
    return is == without_mark(name) ? "" : place + ": is " + value.type_name() + ", not " + name;
  }
  if (value.is_null()) return "";
  if (type.is_array()) {
    if (!value.is_array()) return place + ": is " + value.type_name() + ", not a list";
    for (const auto& item : value)
      if (auto found = departs(item, type.front(), place + "[]"); !found.empty()) return found;
    return "";
  }
  if (!value.is_object()) return place + ": is " + value.type_name() + ", not an object";
  const auto below = place.empty() ? "" : place + ".";
  for (const auto& [key, item] : value.items())
    if (!type.contains(key)) return below + key + ": is no column";
  for (const auto& [key, item] : type.items()) {
    if (!value.contains(key)) return below + key + ": is missing";
    if (auto found = departs(value.at(key), item, below + key); !found.empty()) return found;
  }
  return "";
}

/// The lines that follow "- name: x", or "list:" and "struct:", at that depth.
std::string yaml_type(const json& type, int indent) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  if (type.is_string()) return space + "dtype: " + without_mark(type.get<std::string>()) + "\n";
  if (type.is_object()) return space + "struct:\n" + yaml_features(type, indent);
  const auto& item = type.front();
  if (item.is_string()) return space + "list: " + without_mark(item.get<std::string>()) + "\n";
  if (item.is_object()) return space + "list:\n" + yaml_features(item, indent);
  return space + "list:\n" + yaml_type(item, indent + 2);
}

}  // namespace

std::string departure(const json& line, const json& schema) {
  return departs(line, schema, "");
}

json schema_of_sample(const json& value) {
  if (value.is_array()) {
    if (value.empty()) throw Error("a sample's list is empty, so its type is not known");
    return json::array({schema_of_sample(value.front())});
  }
  if (value.is_object()) {
    json schema = json::object();
    for (const auto& [key, item] : value.items()) schema[key] = schema_of_sample(item);
    return schema;
  }
  const auto name = scalar_type(value);
  if (name.empty()) throw Error("a sample holds null, so its type is not known");
  return name;
}

std::string yaml_features(const json& schema, int indent) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  std::string text;
  for (const auto& [name, type] : schema.items())
    text += space + "- name: " + name + "\n" + yaml_type(type, indent + 2);
  return text;
}

}  // namespace ridgeline::exporting
