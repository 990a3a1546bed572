// Schemas: the columns of a format's lines and their types. They are fixed, so that a reader that infers
// types from the first lines, or from one split alone, finds the same types everywhere.
//
// A type is JSON: "string", "bool", "int64" or "float64", with a "?" behind it where null may stand; [type]
// for a list; {"column": type, ...} for an object. A list or an object may be null only in formats for
// analysis.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ridgeline::exporting {

/// Returns how a line departs from the schema, as "verdict.timing: is string, not an object"; "" if it
/// does not. A null or an empty list fits any object or list type.
std::string departure(const nlohmann::json& line, const nlohmann::json& schema);

/// Returns the type of a value in which no list is empty and nothing is null. Throws Error for other values.
nlohmann::json schema_of_sample(const nlohmann::json& value);

/// Returns the schema as `datasets` writes it into a card: a YAML list, each line indented by `indent`.
std::string yaml_features(const nlohmann::json& schema, int indent);

}  // namespace ridgeline::exporting
