// From the text of one YAML scalar to a value, strictly: YAML 1.2's core types and nothing guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/yaml/tree.hpp"

namespace ridgeline::yaml {

// Each gives nothing where the node is not of the type. A text in quotes is no number and no bool.
std::optional<bool> as_bool(const Tree& tree);           ///< true or false
std::optional<std::int64_t> as_int64(const Tree& tree);  ///< decimal, with a sign or without
std::optional<double> as_double(const Tree& tree);       ///< also .inf, -.inf and .nan
std::optional<std::string> as_text(const Tree& tree);    ///< any scalar, as written

/// What the node is, for messages: "a list", "nothing", "the text 'abc'", "the number 5".
std::string described(const Tree& tree);

}  // namespace ridgeline::yaml
