#include "engine/worker/agent/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "engine/core/error.hpp"

namespace ridgeline::agent {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "ridgeline-worker-";
constexpr int kAttempts = 20;
constexpr std::chrono::milliseconds kPause{25};

/// Removes a folder, in several attempts: processes that are just ending may still write into it.
void remove_folder(const fs::path& folder) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(kPause);
    std::error_code error;
    fs::remove_all(folder, error);
    if (!error) return;
  }
}

/// Returns the folder's lock, held exclusively, or an empty descriptor if another process holds it.
FileDescriptor try_lock(const fs::path& folder, int flags) {
  FileDescriptor lock(::open((folder / "lock").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
  if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) lock.reset();
  return lock;
}

void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const auto name = entry.path().filename().string();
    // lstat, and only folders of this user: the parent is /tmp, where anybody may place a link.
    struct stat facts{};
    if (!name.starts_with(kPrefix) || ::lstat(entry.path().c_str(), &facts) != 0) continue;
    if (!S_ISDIR(facts.st_mode) || facts.st_uid != ::getuid()) continue;
    // Without O_CREAT: a folder without a lock file is just being made by another worker.
    if (const auto lock = try_lock(entry.path(), 0)) remove_folder(entry.path());
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& parent) {
  remove_abandoned(parent);
  std::string name = (parent / (std::string(kPrefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr)
    throw MachineCannot("no folder can be made in " + parent.string() + ": " + std::strerror(errno) +
                        ". Set TMPDIR to one that is writable");
  path_ = name;
  lock_ = try_lock(path_, O_CREAT);
}

void ScratchFolder::remove() {
  if (path_.empty()) return;
  remove_folder(path_);
  // Again at the end: a worker that was killed leaves children which hold its lock until they have died too.
  remove_abandoned(path_.parent_path());
  path_.clear();
}

}  // namespace ridgeline::agent
