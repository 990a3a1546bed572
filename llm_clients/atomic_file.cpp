#include "llm_clients/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/core/error.hpp"

namespace ridgeline::llm {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;  // a copy would close it twice
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }

 private:
  int value_;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const auto written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(descriptor) == 0;
}

/// A renamed file survives a loss of power only if its folder is synced too (fsync(2)).
void sync_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() >= 0)
    ::fsync(descriptor.get());  // fails on some file systems, which then offer no more
}

[[noreturn]] void cannot(const std::filesystem::path& file, const char* what, int error) {
  throw MachineCannot("cannot " + std::string(what) + ' ' + file.string() + ": " + std::strerror(error));
}

}  // namespace

void write_atomically(const std::filesystem::path& file, std::string_view content) {
  // Hidden, so that readers of the folder skip it; with the pid, so that two processes do not share one.
  const auto beside =
      file.parent_path() / ('.' + file.filename().string() + ".tmp-" + std::to_string(::getpid()));
  const Descriptor descriptor(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  const bool written = descriptor.get() >= 0 && write_all(descriptor.get(), content);
  if (written && ::rename(beside.c_str(), file.c_str()) == 0) return sync_folder(file.parent_path());
  const int error = errno;
  if (descriptor.get() >= 0) ::unlink(beside.c_str());
  cannot(file, "write", error);
}

std::optional<std::string> read_if_exists(const std::filesystem::path& file) {
  std::error_code error;
  // A folder or a pipe of that name counts as absent. Opening a pipe would block.
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad()) cannot(file, "read", errno);
  return content;
}

}  // namespace ridgeline::llm
