// Splits the text of a KernelBench-X file, and finds the callable that its test calls. No I/O, no Python.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::suites::kernelbenchx {

/// The '#' characters of the line between a file's reference and its test.
inline constexpr std::size_t separator_length = 146;

/// The two parts of a file. `reference`, the separator and `test` are the file's text, byte for byte.
struct Parts {
  std::string reference;
  std::string test;
};

/// Splits a file's text at its separator; nullopt if it has none, or more than one: KernelBench-X's scripts
/// would take different texts for the reference and for the test then.
std::optional<Parts> split_at_separator(std::string_view text);

/// Returns the name that the test calls and the reference defines at its top level: the file's stem if it is
/// one ("gelu"), else the only such name (the test of AdamW.py calls adamw_step); "" if there is none, or
/// several without the stem among them.
std::string entry_of(const Parts& parts, std::string_view stem);

}  // namespace ridgeline::suites::kernelbenchx
