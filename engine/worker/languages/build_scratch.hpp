// A folder for one build inside another (the cache folder, for whatever is to be kept), gone at the end.
#pragma once

#include <filesystem>
#include <string_view>

namespace ridgeline::languages {

class BuildScratch {
 public:
  /// Throws MachineCannot.
  explicit BuildScratch(const std::filesystem::path& parent);
  ~BuildScratch();
  BuildScratch(const BuildScratch&) = delete;  // owns the folder
  BuildScratch& operator=(const BuildScratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }
  /// Throws MachineCannot, as a full disk does.
  void write(std::string_view name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace ridgeline::languages
