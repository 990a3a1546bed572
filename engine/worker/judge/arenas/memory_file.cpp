#include "engine/worker/judge/arenas/memory_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

namespace {
[[noreturn]] void fail(const char* call, std::size_t bytes) {
  throw MachineCannot(
      fmt::format("{} for {} bytes of argument buffers: {}; fix: free memory, or run fewer judges", call,
                  bytes, std::strerror(errno)));
}
}  // namespace

MemoryFile::MemoryFile(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  bytes_ = (bytes + page - 1) / page * page;
  if (bytes_ == 0) bytes_ = page;
  file_.reset(::memfd_create("argument", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file_) fail("memfd_create", bytes_);
  if (::ftruncate(file_.get(), static_cast<off_t>(bytes_)) != 0) fail("ftruncate", bytes_);
  // A candidate that shrank the file would kill the judge with SIGBUS at its next read.
  if (::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail("F_ADD_SEALS", bytes_);
  // Present pages keep page faults out of timed calls.
  void* data = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file_.get(), 0);
  if (data == MAP_FAILED) fail("mmap", bytes_);
  data_ = static_cast<std::byte*>(data);
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept
    : file_(std::move(other.file_)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

FileDescriptor MemoryFile::open_for_reading() const {
  const auto path = fmt::format("/proc/self/fd/{}", file_.get());
  FileDescriptor reading(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!reading)
    throw MachineCannot(
        fmt::format("opening {}, argument buffers, for reading: {}; fix: mount /proc, or allow "
                    "more open files",
                    path, std::strerror(errno)));
  return reading;
}

MemoryFile::~MemoryFile() {
  if (data_) ::munmap(data_, bytes_);
}

}  // namespace ridgeline::judge
