// Tells on which file systems a WAL is not safe; a store is not written there. SQLite's write-ahead log
// shares memory between processes and trusts file locks: over a network file system neither holds
// (https://www.sqlite.org/wal.html, "Overview", disadvantage 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::store {

/// Returns the name, for messages, of a network, cluster or user-space file system by its `f_type`. Returns
/// nullopt for any other, also for a type that this list does not know.
std::optional<std::string_view> network_file_system(std::int64_t type);

/// statfs(2)'s `f_type` of `folder`; throws MachineCannot if it cannot be asked.
std::int64_t file_system_type(const std::string& folder);

}  // namespace ridgeline::store
