// How core types become JSON: a list of fields a type. Included by .cpp files only; headers use codec.hpp.
//
// Missing keys keep the default, so that an older document can be read; unknown names of enums are an error.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/core/error.hpp"
#include "engine/core/names.hpp"

namespace nlohmann {

template <ridgeline::NamedEnum E>
struct adl_serializer<E> {
  static void to_json(json& out, E value) { out = std::string(ridgeline::to_string(value)); }
  static void from_json(const json& in, E& value) {
    const auto name = in.get<std::string>();
    const auto found = ridgeline::from_name<E>(name);
    if (!found) throw ridgeline::Error("'" + name + "' is no name of this enum: was it written by a newer version?");
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

#define RIDGELINE_FIELDS NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT
