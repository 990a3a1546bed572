// The schema's history, and bringing a file up to date. Each migration runs in one transaction with the bump
// of `PRAGMA user_version`, so a process killed while migrating leaves the old version whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace SQLite {
class Database;
}

namespace ridgeline::store {

inline constexpr std::int32_t application_id = 0x5264676c;  ///< "Rdgl" at offset 68 of the file

/// Migration i (from 0) leads to version i + 1.
std::span<const std::string_view> all_migrations();
inline int newest_version() {
  return static_cast<int>(all_migrations().size());
}

/// Of an open file; an empty one is 0. Throws BadInput if it belongs to another application or was made by a
/// newer version.
int schema_version(const SQLite::Database& database, const std::string& path);

/// Throws the BadInput of a file that a newer version made.
[[noreturn]] void refuse_newer(const std::string& path, int version);

/// Applies what is missing of `migrations`.
void migrate(SQLite::Database& database, const std::string& path,
             std::span<const std::string_view> migrations);

}  // namespace ridgeline::store
