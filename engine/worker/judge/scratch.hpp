// The judge's own folder, in which each runner gets its scratch folder; it is removed with the judge.
#pragma once

#include <filesystem>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::judge {

class Scratch {
 public:
  /// Makes the folder below `parent`, and removes folders of judges that were killed: a living judge holds
  /// the lock of its folder. Throws MachineCannot.
  explicit Scratch(const std::filesystem::path& parent);
  Scratch(const Scratch&) = delete;  // two owners would remove it twice
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor lock_;
};

}  // namespace ridgeline::judge
