// Decides which compiler flags a campaign or a candidate may choose, by a list of what is allowed: flags can
// load plugins, read response files and pull in libraries.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::languages {

/// Bytes of the longest flag that is read. The regular expressions that read flags take the stack for each
/// character, and an answer of 50,000 of them once ended a worker.
inline constexpr std::size_t longest_flag = 1024;

/// Returns -O3 for this CPU, C++20 with GNU extensions.
std::vector<std::string> default_flags();

/// Returns the first flag that is not allowed.
std::optional<std::string> first_forbidden(const std::vector<std::string>& flags);

}  // namespace ridgeline::languages
