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

constexpr const char* prefix = "ridgeline-worker-";
constexpr int kAttempts = 20;
constexpr std::chrono::milliseconds kPause{25};

/// Programs that are just ending may still write there.
void remove_folder(const fs::path& folder) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(kPause);
    std::error_code error;
    fs::remove_all(folder, error);
    if (!error) return;
  }
}

/// Held exclusively, or empty if another holds it.
FileDescriptor take_lock(const fs::path& folder, int flags) {
  FileDescriptor lock(::open((folder / "lock").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
  if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) lock.reset();
  return lock;
}

void remove_abandoned(const fs::path& parent) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const auto name = entry.path().filename().string();
    struct stat facts{};
    if (!name.starts_with(prefix) || ::lstat(entry.path().c_str(), &facts) != 0) continue;
    if (!S_ISDIR(facts.st_mode) || facts.st_uid != ::getuid()) continue;
    // Without O_CREAT: one that has no lock yet is just being made.
    if (const auto lock = take_lock(entry.path(), 0)) remove_folder(entry.path());
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& parent) {
  remove_abandoned(parent);
  std::string name = (parent / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr)
    throw MachineCannot("no folder can be made in " + parent.string() + ": " + std::strerror(errno) +
                        ". Set TMPDIR to one that is writable");
  path_ = name;
  lock_ = take_lock(path_, O_CREAT);
}

void ScratchFolder::remove() {
  if (path_.empty()) return;
  remove_folder(path_);
  // Once more: a child of one that was killed holds its lock until it has been told.
  remove_abandoned(path_.parent_path());
  path_.clear();
}

}  // namespace ridgeline::agent
