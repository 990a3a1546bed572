// Records in the order in which they came, however many wait: the first of them in memory, the others in a
// temporary file that has no name and goes with the process.
//
// Not for two threads at once; line_source.hpp and line_sink.hpp guard theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::evaluation {

class Spool {
 public:
  /// `memory`: bytes of records that are kept there, besides a block of the file. The file is made in
  /// `folder` when it is first wanted.
  explicit Spool(std::size_t memory, std::filesystem::path folder = std::filesystem::temp_directory_path());

  /// Throws MachineCannot where the file cannot be written; nothing was added then.
  void push(std::string record);
  /// The oldest. Throws MachineCannot where the file cannot be read.
  std::optional<std::string> pop();

  bool empty() const { return in_memory_.empty() && in_file_ == 0; }
  /// That the file takes on the disk: it shrinks to nothing whenever all in it was taken.
  std::uint64_t file_bytes() const { return written_; }

 private:
  void open_file();
  void write_out();
  /// Fills `block_` with at least so many bytes.
  void have(std::size_t bytes);

  std::size_t memory_;
  std::filesystem::path folder_;
  std::deque<std::string> in_memory_;
  std::size_t memory_used_ = 0;
  // What follows them. A record in the file is its length and its bytes.
  FileDescriptor file_;
  std::size_t in_file_ = 0;               // records, those in `unwritten_` and `block_` counted
  std::uint64_t read_ = 0, written_ = 0;  // offsets
  std::string unwritten_;                 // to be written behind
  std::string block_;                     // read, and not yet taken from `taken_` on
  std::size_t taken_ = 0;
};

}  // namespace ridgeline::evaluation
