// The file in which a scoring keeps what each submission gave, a line a result, so that an interrupted run
// goes on. For several threads.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::submissions {

class Progress {
 public:
  /// Reads the results in `folder`/progress.jsonl, which is made if it is not there; a last line that was cut
  /// short is dropped. Holds a lock on the folder until its end. Throws BadInput if another run holds it,
  /// MachineCannot if the folder cannot be written.
  explicit Progress(const std::filesystem::path& folder);

  /// The result under `key`, if there is one.
  std::optional<nlohmann::json> find(const std::string& key) const;
  /// Writes a result to the end, at once. Throws MachineCannot.
  void keep(const std::string& key, const nlohmann::json& result);
  /// The number of results of earlier runs.
  std::size_t earlier() const { return earlier_; }

 private:
  mutable std::mutex mutex_;
  FileDescriptor lock_;
  std::map<std::string, nlohmann::json> results_;
  std::size_t earlier_ = 0;
  std::filesystem::path path_;
  std::ofstream file_;
};

}  // namespace ridgeline::submissions
