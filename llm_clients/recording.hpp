// The file of recorded answers that `replay` reads. It holds JSON lines: a header, then one answer per line.
//
//   {"format":"ridgeline-recording","version":1,"model":M,"recorded_at":T,"note":N}
//   {"task","strategy","seed","step","slot","request_hash","prompt":[{"role","content"}],
//    "text","reasoning","finish_reason","usage":{"input_tokens","output_tokens","cached_input_tokens",
//    "cache_write_tokens","reasoning_tokens"}}     (usage is null where nothing was reported)
//
// An address occurs once. Text that is not UTF-8 is written with U+FFFD in place of what is not.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "llm_clients/address.hpp"
#include "llm_clients/client.hpp"

namespace ridgeline::llm {

struct RecordedAnswer {
  CallAddress address;
  std::string request_hash;
  std::vector<Message> prompt;
  std::string text;
  std::string reasoning;
  std::string finish_reason;
  Usage usage;

  bool operator==(const RecordedAnswer&) const = default;
};

struct Recording {
  std::string model;        ///< the model that answered, as named by whoever made the recording
  std::string recorded_at;  ///< ISO 8601
  std::string note;
  std::vector<RecordedAnswer> answers;
};

/// Reads a recording; a file whose name ends in ".zst" is decompressed first. Throws BadInput that names
/// file, line and key for a missing header, another format, a newer version, a missing key or an address that
/// occurs twice.
Recording read_recording(const std::filesystem::path& file);
Recording read_recording(std::istream& lines, const std::string& name);

/// Replaces `file` atomically, compressed if its name ends in ".zst". Throws MachineCannot if it cannot be
/// written, BadInput if two answers have one address.
void write_recording(const Recording& recording, const std::filesystem::path& file);

/// Returns the answered requests of a model's mailbox (mailbox_folder.hpp), in the order of their addresses.
/// Throws BadInput for an outbox file that is no request, or an answer that cannot be read.
std::vector<RecordedAnswer> answers_of_mailbox(const std::filesystem::path& folder);

}  // namespace ridgeline::llm
