// Keeps builds in a folder: libraries, trampolines, precompiled headers. Shared by all workers of
// a user, and kept under a size by removing what was used least recently.
//
// Whoever uses an entry holds a shared lock on it (flock(2)); removal takes the exclusive lock first, so that
// no worker on this machine loses what it is about to load, and what a killed worker held is free at once. A
// use is remembered as the time of modification, since access times are often switched off.
//
// Each process checks the folder's size when it begins and whenever it has added a thirty-second of the
// limit; between two checks the folder may be larger than the limit by as much for each worker, and by what
// is held. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::languages {

/// Keeps an entry where it is as long as a copy of this lives. Null: there is no such entry.
using BuildHold = std::shared_ptr<const FileDescriptor>;

inline constexpr std::uint64_t default_cache_limit = std::uint64_t{2} << 30;  // bytes

class BuildCache {
 public:
  /// Makes `folder` if it is absent. `limit` in bytes; 0 is none. Throws MachineCannot.
  BuildCache(std::filesystem::path folder, std::uint64_t limit);

  const std::filesystem::path& folder() const { return folder_; }

  /// Holds an entry, which counts as a use.
  BuildHold hold(const std::filesystem::path& entry) const;

  /// Moves a new file or folder into its place, atomically. The first of two equal ones stays: replacing it
  /// would take it from under a build whose sandbox has already admitted the old inode. Throws MachineCannot.
  BuildHold keep(const std::filesystem::path& from, const std::filesystem::path& to);

 private:
  void added(std::uint64_t bytes);
  void trim() const;

  std::filesystem::path folder_;
  std::uint64_t limit_;
  std::atomic<std::uint64_t> added_{0};  ///< bytes, since the last check
};

// Decides alone; no I/O.

struct CacheEntry {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::filesystem::file_time_type used;
};

/// Lists what has to go, least recently used first, so that no more than nine tenths of `limit` are left (and
/// the next check is not due at once). Empty if all fit `limit`.
std::vector<CacheEntry> least_recently_used(std::vector<CacheEntry> entries, std::uint64_t limit);

}  // namespace ridgeline::languages
