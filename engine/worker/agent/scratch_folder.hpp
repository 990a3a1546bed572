// A folder for everything temporary of one worker and its judges, removed at the end even of judges that were
// killed.
//
// A worker that was killed itself leaves its folder; the next one removes it. A lock tells those in use,
// since a pid may be another's by then, or live in another container.
#pragma once

#include <filesystem>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::agent {

class ScratchFolder {
 public:
  /// In `parent`; abandoned ones of this user there are removed first. Throws MachineCannot.
  explicit ScratchFolder(const std::filesystem::path& parent);
  ScratchFolder(const ScratchFolder&) = delete;  // it would be removed twice
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { remove(); }

  const std::filesystem::path& path() const { return path_; }
  /// At once; for processes that end without destructors.
  void remove();

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;
};

}  // namespace ridgeline::agent
