// Translates SQLite's error codes for a user: what is wrong, where, and how to fix it.
#pragma once

#include <string>

namespace SQLite {
class Exception;
}

namespace ridgeline::store {

enum class Fault {
  rule,    ///< a constraint of the schema: this record alone is wrong
  full,    ///< no space left, a quota or a file size limit
  io,      ///< the disk or file system failed
  denied,  ///< no permission, or a read-only file system
  damaged,
  other
};

Fault fault_of(const SQLite::Exception& error);

/// Throws MachineCannot with a message for people (Error for a broken rule).
[[noreturn]] void raise(const SQLite::Exception& error, const std::string& path);

}  // namespace ridgeline::store
