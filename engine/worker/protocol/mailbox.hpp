// Keeps requests and results as files, for a machine that cannot be reached over a pipe:
// DIR/outbox/requests-NNN.jsonl holds the engine's requests, DIR/inbox/results-NNN.jsonl the worker's
// answers, one message of the protocol a line. (Out and in are the engine's.)
//
// Files appear complete or grow by whole lines, so either folder may be copied at any moment, also by hand.
// A last line without a line end is ignored until it is complete; names that begin with a dot are copies in
// progress. A file of either folder may be replaced by its zstd frame, NAME.jsonl.zst. Ids are hashes of
// contents, so a request that a resumed or another campaign asks again is the same line.
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

/// The two folders of a mailbox.
struct MailboxFolders {
  std::filesystem::path outbox, inbox;
};

/// Creates outbox and inbox in `folder` where they are missing, and returns their paths. Throws
/// MachineCannot if that fails.
MailboxFolders open_mailbox(const std::filesystem::path& folder);

/// Returns the hash over task, candidate and settings that identifies a request.
std::string mailbox_id(const Hash& task, const Hash& candidate, const EvaluateSettings& settings);

/// Reads the *.jsonl and *.jsonl.zst files of a folder in the order of their names. Later calls read only
/// what is new; a compressed file that changed is read again from its start.
class LineFolder {
 public:
  /// Called with each line, without its end and valid during the call only, and its place
  /// ("results-001.jsonl:17"). Blank lines are skipped but counted.
  using Visit = std::function<void(std::string_view line, const std::string& place)>;

  explicit LineFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Calls `visit` for every line that was not read before, and for every line of a compressed file whose
  /// size changed: `visit` must bear repeats. Returns a warning for each compressed file that is damaged or
  /// still being copied; no line of it is visited until its size changes.
  std::vector<std::string> read_new(const Visit& visit);

 private:
  struct Progress {
    std::uintmax_t bytes = 0;  ///< up to and including the last whole line
    std::size_t lines = 0;
  };
  /// Visits every line. Throws BadInput, before the first, for a frame that is damaged or incomplete.
  void read_compressed(const std::string& name, const Visit& visit) const;

  std::filesystem::path folder_;
  std::map<std::string, Progress> progress_;
};

/// Writes the lines, which contain their line ends, as the next free STEM-NNN.jsonl: complete or not at all,
/// and never over another file. A number is taken, too, where STEM-NNN.jsonl.zst exists. Returns its path.
/// Throws MachineCannot if the file cannot be written.
std::filesystem::path write_numbered(const std::filesystem::path& folder, std::string_view stem,
                                     const std::vector<std::string>& lines);

}  // namespace ridgeline::protocol
