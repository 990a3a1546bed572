// Where a WAL is safe. SQLite's write-ahead log shares memory between processes and trusts file locks: over a
// network file system neither holds (https://www.sqlite.org/wal.html, "Overview", disadvantage 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::store {

/// The name of a network or user-space file system by its `f_type`; nullopt for a file system of this
/// machine.
std::optional<std::string_view> network_file_system(std::int64_t type);

/// statfs(2)'s `f_type` of `folder`; throws MachineCannot if it cannot be asked.
std::int64_t file_system_type(const std::string& folder);

}  // namespace ridgeline::store
