// Reads the text of one YAML scalar as a value, by YAML 1.2's core schema and nothing beyond it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/yaml/tree.hpp"

namespace ridgeline::yaml {

// Each returns nullopt where the node is of another type. A scalar in quotes is a text, never a number or
// bool.
std::optional<bool> as_bool(const Tree& tree);           ///< true or false
std::optional<std::int64_t> as_int64(const Tree& tree);  ///< decimal, with a sign or without
std::optional<double> as_double(const Tree& tree);       ///< also .inf, -.inf and .nan
std::optional<std::string> as_text(const Tree& tree);    ///< any scalar, as written

/// Describes a node in a message: "a list", "nothing", "the text 'abc'", "the number 5".
std::string described(const Tree& tree);

}  // namespace ridgeline::yaml
