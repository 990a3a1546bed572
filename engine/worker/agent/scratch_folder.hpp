// A folder for all temporary files of one worker and its judges. It is removed at the end, with the files of
// judges that were killed.
//
// A worker that was killed leaves its folder, and the next worker removes it. A file lock marks a folder in
// use; a pid would not do, since it may belong to another process by then, or to another container.
#pragma once

#include <filesystem>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::agent {

class ScratchFolder {
 public:
  /// Makes a folder in `parent`, after removing abandoned ones of this user there. Throws MachineCannot.
  explicit ScratchFolder(const std::filesystem::path& parent);
  ScratchFolder(const ScratchFolder&) = delete;  // a copy would remove it twice
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { remove(); }

  const std::filesystem::path& path() const { return path_; }
  /// Removes the folder now; for a process that ends by _exit, without destructors.
  void remove();

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;  ///< held while the folder is in use
};

}  // namespace ridgeline::agent
