#include "engine/cli/whole_file.hpp"

#include <filesystem>
#include <fstream>

#include "engine/core/error.hpp"

namespace ridgeline::cli {
namespace {

/// Removes what was begun unless it was kept.
class Part {
 public:
  explicit Part(std::string path) : path_(std::move(path)) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }
  bool keep_as(const std::string& path) {
    std::error_code error;
    std::filesystem::rename(path_, path, error);
    return kept_ = !error;
  }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace

void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  std::ofstream file(path + ".part", std::ios::binary | std::ios::trunc);
  if (!file) throw MachineCannot(path + ": cannot be written; name a file in a folder that lets you");
  Part part(path + ".part");
  write(file);
  file.close();
  if (!file || !part.keep_as(path))
    throw MachineCannot(path + ": could not be written whole; is the disk full?");
}

}  // namespace ridgeline::cli
