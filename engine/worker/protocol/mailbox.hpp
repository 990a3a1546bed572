// Requests and results as files, for a machine that cannot be reached: DIR/outbox/requests-NNN.jsonl holds
// what the engine asks, DIR/inbox/results-NNN.jsonl what a worker answered, a message of the protocol a line.
//
// Files are made whole or grow by whole lines, so either folder may be copied at any moment, by hand if need
// be. A last line without its end is not there yet; names that begin with a dot are a copy in progress. Ids
// are contents' hashes: the same request asked again, by a resumed campaign or another one, is the same line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::protocol {

struct MailboxFolders {
  std::filesystem::path outbox, inbox;
};

/// Makes the folders. Throws MachineCannot if that fails.
MailboxFolders open_mailbox(const std::filesystem::path& folder);

/// Hash over task, candidate and settings.
std::string mailbox_id(const Hash& task, const Hash& candidate, const EvaluateSettings& settings);

/// Reads the *.jsonl of a folder, in the order of their names; the second time only what has come since.
class LineFolder {
 public:
  /// `line` and `place` ("results-001.jsonl:17") of one line; blank ones are skipped.
  using Visit = std::function<void(std::string_view line, const std::string& place)>;

  explicit LineFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void read_new(const Visit& visit);

 private:
  struct Seen {
    std::uintmax_t bytes = 0;  ///< up to and with the last whole line
    std::size_t lines = 0;
  };
  std::filesystem::path folder_;
  std::map<std::string, Seen> seen_;
};

/// Writes the lines (each with its end) as the next free STEM-NNN.jsonl, all or nothing, never over another.
/// Returns its path. Throws MachineCannot.
std::filesystem::path write_numbered(const std::filesystem::path& folder, std::string_view stem,
                                     const std::vector<std::string>& lines);

}  // namespace ridgeline::protocol
