// Writes and reads structs as JSON from a list of their fields. Only .cpp files include it; headers use
// codec.hpp.
//
// Missing keys keep the default, so that an older document can be read; unknown names of enums are an error.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/core/error.hpp"
#include "engine/core/json_numbers.hpp"
#include "engine/core/names.hpp"

namespace nlohmann {

template <ridgeline::NamedEnum E>
struct adl_serializer<E> {
  static void to_json(json& out, E value) { out = std::string(ridgeline::to_string(value)); }
  static void from_json(const json& in, E& value) {
    const auto name = in.get<std::string>();
    const auto found = ridgeline::from_name<E>(name);
    if (!found)
      throw ridgeline::Error("'" + name + "' is no name of this enum: was it written by a newer version?");
    value = *found;
  }
};

template <class T>
struct adl_serializer<std::optional<T>> {
  static void to_json(json& out, const std::optional<T>& value) {
    if (value)
      out = *value;
    else
      out = nullptr;
  }
  static void from_json(const json& in, std::optional<T>& value) {
    if (in.is_null())
      value.reset();
    else
      value = in.get<T>();
  }
};

}  // namespace nlohmann

namespace ridgeline {

/// JSON has no spelling for numbers that are not finite, and kernels do produce them: "nan", "inf", "-inf".
inline nlohmann::json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/// Reads what number_to_json wrote; 0 where the key is missing.
inline double number_from_json(const nlohmann::json& in, const char* key) {
  const auto found = in.find(key);
  if (found == in.end()) return 0;
  if (found->is_number()) return found->get<double>();
  const auto name = found->get<std::string>();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  throw Error("'" + name + "' under '" + key + "' is no number");
}

}  // namespace ridgeline

#define RIDGELINE_READ_FIELD(name) \
  nlohmann_json_t.name = ridgeline::read_json(nlohmann_json_j, #name, nlohmann_json_default_obj.name);

// nlohmann's NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT without its `inline`, and with numbers that are
// checked: declared in a header and defined by this in one .cpp, inline functions would not be there for
// other files to link.
#define RIDGELINE_FIELDS(Type, ...)                                                               \
  [[maybe_unused]] void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))                      \
  }                                                                                               \
  [[maybe_unused]] void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) { \
    const Type nlohmann_json_default_obj;                                                         \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(RIDGELINE_READ_FIELD, __VA_ARGS__))                  \
  }
