// A queue of records without a limit: the oldest are in memory, the others in a temporary file without a
// name, which the system deletes with the process.
//
// Not safe for two threads at once; line_source.hpp and line_sink.hpp lock theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::evaluation {

/// A first-in, first-out queue of byte strings.
class Spool {
 public:
  /// Keeps at most `memory` bytes of records in memory, besides a block of the file. The file is made in
  /// `folder` when it is first needed.
  explicit Spool(std::size_t memory, std::filesystem::path folder = std::filesystem::temp_directory_path());

  /// Adds a record at the end. Throws MachineCannot where the file cannot be written; the record is then not
  /// added.
  void push(std::string record);
  /// Removes and returns the oldest record; nullopt where there is none. Throws MachineCannot where the file
  /// cannot be read.
  std::optional<std::string> pop();

  bool empty() const { return in_memory_.empty() && in_file_ == 0; }
  /// Returns the file's bytes on the disk: it is emptied whenever its last record was read into memory.
  std::uint64_t file_bytes() const { return written_; }

 private:
  void open_file();
  void write_out();
  /// Reads on until `block_` holds at least `bytes` bytes from `block_used_` on.
  void fill_block(std::size_t bytes);

  std::size_t memory_;
  std::filesystem::path folder_;
  std::deque<std::string> in_memory_;
  std::size_t memory_used_ = 0;
  // The records behind those in memory. In the file, each is its length (8 bytes) and its bytes.
  FileDescriptor file_;
  std::size_t in_file_ = 0;               // records, with those in `unwritten_` and `block_`
  std::uint64_t read_ = 0, written_ = 0;  // offsets in the file
  std::string unwritten_;                 // bytes behind the file's end
  std::string block_;                     // bytes read; those before `block_used_` are used up
  std::size_t block_used_ = 0;
};

}  // namespace ridgeline::evaluation
