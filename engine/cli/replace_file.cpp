#include "engine/cli/replace_file.hpp"

#include <filesystem>
#include <fstream>

#include "engine/core/error.hpp"

namespace ridgeline::cli {
namespace {

/// Removes the partial file unless it was renamed.
class PartialFile {
 public:
  explicit PartialFile(std::string path) : path_(std::move(path)) {}
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() {
    std::error_code ignored;
    if (!renamed_) std::filesystem::remove(path_, ignored);
  }
  bool rename_to(const std::string& path) {
    std::error_code error;
    std::filesystem::rename(path_, path, error);
    return renamed_ = !error;
  }

 private:
  std::string path_;
  bool renamed_ = false;
};

}  // namespace

void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::ofstream file(path + ".part", std::ios::binary | std::ios::trunc);
  if (!file) throw MachineCannot(path + ": cannot be written; name a file in a folder that lets you");
  // Beside `path`, hence on the same file system, where a rename replaces the old file at once.
  PartialFile part(path + ".part");
  write(file);
  file.close();  // flushes: a full disk shows here
  if (!file || !part.rename_to(path))
    throw MachineCannot(path + ": could not be written whole; is the disk full?");
}

}  // namespace ridgeline::cli
