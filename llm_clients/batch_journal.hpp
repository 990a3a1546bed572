// The folder of records of batches under way: one file per batch, written atomically.
#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "llm_clients/batch_record.hpp"

namespace ridgeline::llm {

class BatchJournal {
 public:
  /// Writes and reads nothing if `folder` is empty. The first `write` makes the folder.
  explicit BatchJournal(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Whether there is a folder, so that batches survive a kill.
  bool keeps() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }

  /// Returns the batches that were sent to `endpoint`, oldest first. Removes records older than thirty days,
  /// because providers keep results no longer. Throws BadInput that names a file which is no batch record,
  /// MachineCannot that names one which cannot be read.
  std::vector<BatchRecord> read(Provider provider, const std::string& endpoint,
                                std::chrono::system_clock::time_point now) const;

  /// Writes or replaces the record's file. Throws MachineCannot that names the file.
  void write(const BatchRecord& record) const;
  /// Removes the record's file. Ignores a failure.
  void remove(const BatchRecord& record) const noexcept;

 private:
  std::filesystem::path file_of(const BatchRecord& record) const;

  std::filesystem::path folder_;
};

}  // namespace ridgeline::llm
