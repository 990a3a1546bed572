// A piece of shared memory by descriptor, mapped here, with its size sealed.
//
// The seals are what lets the judge read it without fear: whoever holds the descriptor can neither shrink nor
// grow it, so no access of ours can end in SIGBUS. Contents may change under our eyes at any time while a
// runner lives: copy first, then look.
#pragma once

#include <cstddef>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::judge {

class MemoryFile {
 public:
  /// Zeroed, pages present. `bytes` is rounded up to pages. Throws MachineCannot.
  explicit MemoryFile(std::size_t bytes);
  MemoryFile(MemoryFile&& other) noexcept;
  MemoryFile& operator=(MemoryFile&&) = delete;  // never needed, and a mapping would have to be given back
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
