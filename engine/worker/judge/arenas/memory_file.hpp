// A piece of shared memory, mapped in this process and passed by descriptor, with its size sealed.
//
// The seals let the judge read it safely: a process with the descriptor can neither shrink nor grow it, so
// no access of ours can end in SIGBUS. A runner may change the contents at any time, so copy first, then
// check.
#pragma once

#include <cstddef>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::judge {

/// Owns the mapping and the descriptor.
class MemoryFile {
 public:
  /// Allocates `bytes`, rounded up to pages: zeroed, with all pages present. Throws MachineCannot.
  explicit MemoryFile(std::size_t bytes);
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&&) = delete;  // not needed; it would have to unmap first
  ~MemoryFile();

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  int descriptor() const { return file_.get(); }

 private:
  FileDescriptor file_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ridgeline::judge
