// Writes files so that a reader, or a crash, never sees half of one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::llm {

/// Writes a hidden file beside `file`, syncs it, renames it to `file`, and syncs the folder. Throws
/// MachineCannot that names the file and the cause.
void write_atomically(const std::filesystem::path& file, std::string_view content);

/// Returns the content of `file`, or nothing if no regular file has that name. Throws MachineCannot if the
/// file exists and cannot be read.
std::optional<std::string> read_if_exists(const std::filesystem::path& file);

}  // namespace ridgeline::llm
