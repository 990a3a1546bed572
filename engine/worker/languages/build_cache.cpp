#include "engine/worker/languages/build_cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include "engine/core/error.hpp"

namespace ridgeline::languages {
namespace {

namespace fs = std::filesystem;

constexpr auto kAbandoned =
    std::chrono::hours(1);  // a build ends within minutes, and what waits for one within half of it
constexpr std::uint64_t kChecks = 32;  // a check each time this share of the limit was added
constexpr int kTries = 3;

FileDescriptor open_entry(const fs::path& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
}

/// The path still leads to what was opened: it was not removed before the lock was had.
bool leads_to(const fs::path& path, int fd) {
  struct stat by_path{}, by_fd{};
  return ::lstat(path.c_str(), &by_path) == 0 && ::fstat(fd, &by_fd) == 0 && by_path.st_dev == by_fd.st_dev &&
         by_path.st_ino == by_fd.st_ino;
}

BuildHold shared_lock(const fs::path& path) {
  auto fd = open_entry(path);
  if (!fd) return nullptr;
  // A file system without locks (ENOLCK) has none for the removal either, which then leaves everything be.
  while (::flock(fd.get(), LOCK_SH) != 0 && errno == EINTR) {
  }
  return leads_to(path, fd.get()) ? std::make_shared<const FileDescriptor>(std::move(fd)) : nullptr;
}

std::uint64_t bytes_of(const fs::path& path) {
  std::error_code gone;
  if (!fs::is_directory(fs::symlink_status(path, gone))) {
    const auto bytes = fs::file_size(path, gone);
    return gone ? 0 : bytes;
  }
  std::uint64_t sum = 0;
  for (const auto& file : fs::directory_iterator(path, gone)) {
    const auto bytes = fs::file_size(file.path(), gone);
    if (!gone) sum += bytes;
  }
  return sum;
}

/// The entries of the folder, and the scratch folders that killed workers left.
struct Contents {
  std::vector<CacheEntry> entries;
  std::vector<fs::path> abandoned;
};

Contents contents_of(const fs::path& folder) {
  Contents contents;
  std::error_code gone;  // other workers add and remove meanwhile
  for (const auto& file : fs::directory_iterator(folder, gone)) {
    const auto name = file.path().filename().string();
    const auto used = fs::last_write_time(file.path(), gone);
    if (gone) continue;
    if (name.starts_with("scratch-")) {
      if (used < fs::file_time_type::clock::now() - kAbandoned) contents.abandoned.push_back(file.path());
    } else if (name.ends_with(".so") || name.ends_with(".o") || name.starts_with("header-")) {
      contents.entries.push_back({file.path(), bytes_of(file.path()), used});
    }
  }
  return contents;
}

/// Unless somebody holds it. Renamed first, so that nobody finds half a folder.
void remove_unheld(const CacheEntry& entry, const fs::path& folder) {
  const auto fd = open_entry(entry.path);
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 || !leads_to(entry.path, fd.get())) return;
  const auto aside = folder / ("scratch-" + entry.path.filename().string());
  std::error_code ignored;
  fs::rename(entry.path, aside, ignored);
  fs::remove_all(aside, ignored);
}

}  // namespace

std::vector<CacheEntry> least_recently_used(std::vector<CacheEntry> entries, std::uint64_t limit) {
  std::uint64_t sum = 0;
  for (const auto& entry : entries) sum += entry.bytes;
  if (sum <= limit) return {};
  std::sort(entries.begin(), entries.end(), [](const CacheEntry& a, const CacheEntry& b) {
    return a.used != b.used ? a.used < b.used : a.path < b.path;
  });
  const auto end = std::find_if(entries.begin(), entries.end(), [&](const CacheEntry& entry) {
    if (sum <= limit / 10 * 9) return true;
    sum -= entry.bytes;
    return false;
  });
  entries.erase(end, entries.end());
  return entries;
}

BuildCache::BuildCache(fs::path folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!error) folder_ = fs::canonical(folder_, error);
  if (error) throw MachineCannot("cache folder " + folder_.string() + ": " + error.message());
  trim();
}

BuildHold BuildCache::hold(const fs::path& entry) const {
  auto held = shared_lock(entry);
  if (held) ::futimens(held->get(), nullptr);  // of another user's cache, which may be read: no use is noted
  return held;
}

BuildHold BuildCache::keep(const fs::path& from, const fs::path& to) {
  for (int i = 0; i < kTries; ++i) {
    const auto bytes = bytes_of(from);
    auto held = shared_lock(from);  // before it can be found; the lock moves with it
    int failed = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
    if (failed && errno == EINVAL)
      failed = ::rename(from.c_str(), to.c_str());  // no such flag on this file system
    if (!failed) {
      added(bytes);
      return held;
    }
    if (errno != EEXIST && errno != ENOTEMPTY) break;
    if (auto first = hold(to)) return first;  // else it was removed in between: ours takes its place
    errno = EEXIST;
  }
  throw MachineCannot("cannot keep " + to.string() + ": " + std::strerror(errno) +
                      "; fix: name a writable cache folder");
}

void BuildCache::added(std::uint64_t bytes) {
  added_ += bytes;
  if (limit_ == 0 || added_ < limit_ / kChecks) return;
  added_ = 0;
  trim();
}

void BuildCache::trim() const {
  // One worker at a time checks; the others have nothing to wait for.
  const FileDescriptor turn(::open((folder_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!turn || ::flock(turn.get(), LOCK_EX | LOCK_NB) != 0) return;
  auto contents = contents_of(folder_);
  std::error_code ignored;
  for (const auto& scratch : contents.abandoned) fs::remove_all(scratch, ignored);
  if (limit_ == 0) return;
  for (const auto& entry : least_recently_used(std::move(contents.entries), limit_))
    remove_unheld(entry, folder_);
}

}  // namespace ridgeline::languages
