// Memory that the judge (the trusted process that checks candidates) shares with a runner (the untrusted
// process that runs a candidate). The judge maps it and sends its file descriptor to the runner.
//
// The size is sealed, so that no process with the descriptor can shrink or grow the file: an access of the
// judge beyond the end would kill it with SIGBUS. A runner may change the contents at any time, so the judge
// copies first and checks the copy.
#pragma once

#include <cstddef>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::judge {

/// Owns the mapping and the descriptor.
class MemoryFile {
 public:
  /// Allocates at least `bytes` of zeroed memory, with all pages present. Throws MachineCannot.
  explicit MemoryFile(std::size_t bytes);
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&&) = delete;  // not needed; it would have to unmap first
  ~MemoryFile();

  std::byte* data() const { return data_; }
  /// Returns the allocated size: the requested one rounded up to whole pages, at least one page.
  std::size_t bytes() const { return bytes_; }
  /// Returns the file's descriptor, which this object closes.
  int descriptor() const { return file_.get(); }
  /// Opens the file once more, for reading alone: whoever maps it by that descriptor can never write to it,
  /// since the kernel refuses mprotect too. Throws MachineCannot.
  FileDescriptor open_for_reading() const;

 private:
  FileDescriptor file_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ridgeline::judge
