// A folder of the judge's own for what runners load; it leaves with the judge.
#pragma once

#include <filesystem>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::judge {

class Scratch {
 public:
  /// Makes the folder below `parent`, and removes those of judges that were killed: each holds a lock on its
  /// own for as long as it lives. Throws MachineCannot.
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
