// The folder of batches in work: one file a batch, each whole or not there.
#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "llm_clients/batch_record.hpp"

namespace ridgeline::llm {

class BatchJournal {
 public:
  /// Keeps nothing where `folder` is empty. The folder is made when the first batch is written.
  explicit BatchJournal(std::filesystem::path folder) : folder_(std::move(folder)) {}

  bool keeps() const { return !folder_.empty(); }
  const std::filesystem::path& folder() const { return folder_; }

  /// The batches that were sent to `endpoint`, the oldest first. Removes those of more than thirty days:
  /// providers keep results no longer. Throws BadInput naming a file that tells of no batch, MachineCannot
  /// naming one that cannot be read.
  std::vector<BatchRecord> read(Provider provider, const std::string& endpoint,
                                std::chrono::system_clock::time_point now) const;

  /// Throws MachineCannot naming the file.
  void write(const BatchRecord& record) const;
  void remove(const BatchRecord& record) const noexcept;

 private:
  std::filesystem::path file_of(const BatchRecord& record) const;

  std::filesystem::path folder_;
};

}  // namespace ridgeline::llm
