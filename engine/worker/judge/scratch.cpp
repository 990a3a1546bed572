#include "engine/worker/judge/scratch.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "engine/core/error.hpp"

namespace ridgeline::judge {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "ridgeline-scratch-";
constexpr const char* kLock = "lock";

/// Removes folders whose lock can be taken: they have no living owner. A folder without a lock file is just
/// being made by another judge, and is left alone.
void remove_orphans(const fs::path& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with(kPrefix)) continue;
    const FileDescriptor lock(::open((entry.path() / kLock).c_str(), O_RDWR | O_CLOEXEC));
    if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Scratch::Scratch(const fs::path& parent) {
  remove_orphans(parent);
  auto name = (parent / (std::string(kPrefix) + "XXXXXX")).string();
  if (!::mkdtemp(name.data()))
    throw MachineCannot("making a folder in " + parent.string() + ": " + std::strerror(errno) +
                        "; fix: let TMPDIR name a writable folder");
  path_ = name;
  lock_.reset(::open((path_ / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock_ || ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    throw MachineCannot("locking " + (path_ / kLock).string() + ": " + std::strerror(errno));
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace ridgeline::judge
