#include "engine/store/writer_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "engine/core/error.hpp"

namespace ridgeline::store {
namespace {

std::string holder(int descriptor) {
  std::array<char, 32> text{};
  const auto length = pread(descriptor, text.data(), text.size() - 1, 0);
  std::string pid(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  while (!pid.empty() && pid.back() == '\n') pid.pop_back();
  return pid.empty() ? "another process" : "process " + pid;
}

}  // namespace

WriterLock::WriterLock(const std::string& store_path) {
  const auto path = store_path + ".lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0)
    throw MachineCannot("cannot make " + path + ": " + std::strerror(errno) +
                        ". The store needs a folder that it may write to: name another one with --store");
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int why = errno;
    const auto other = holder(descriptor_);
    ::close(descriptor_);
    if (why == EWOULDBLOCK)
      throw BadInput(store_path + " is being written by " + other +
                     ": wait for it or stop it, or name another store with --store");
    throw MachineCannot("cannot lock " + path + ": " + std::strerror(why));
  }
  const auto pid = std::to_string(getpid()) + "\n";
  // The text only serves the other side's message: on a full disk the lock holds without it.
  if (ftruncate(descriptor_, 0) == 0) (void)!pwrite(descriptor_, pid.data(), pid.size(), 0);
}

WriterLock::~WriterLock() {
  (void)!ftruncate(descriptor_, 0);
  ::close(descriptor_);
}

}  // namespace ridgeline::store
