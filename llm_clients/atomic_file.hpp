// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::llm {

/// Writes beside `file` under a hidden name, syncs, renames, and syncs the folder. Throws MachineCannot
/// naming the file and why.
void write_atomically(const std::filesystem::path& file, std::string_view content);

/// The whole file, or nothing where there is none. Throws MachineCannot where it is there and cannot be read.
std::optional<std::string> read_if_there(const std::filesystem::path& file);

}  // namespace ridgeline::llm
