// A mailbox: a folder in which any program or person can answer requests as the model.
//
//   outbox/<id>.json   a request: {"format":"ridgeline-mailbox","version":1,"id","address","request_hash",
//                      "model","temperature","max_output_tokens","messages":[{"role","content"}]}
//   outbox/<id>.md     the request for people to read, and how to answer
//   inbox/<id>.json    an answer: {"text", and optionally "model","reasoning","finish_reason","usage"}
//   inbox/<id>.md      or the answer's text and nothing else
//   inbox/<id>.problem.txt  the engine's complaint about an answer that it cannot read; removed once it can.
//                      An answer that stays bad and unchanged for ten seconds fails the requests that wait
//                      for it (mailbox_client.hpp)
//
// Both sides write under another name (hidden, or ending in .tmp) and rename, so that no reader sees half a
// file. An empty file counts as absent. An answer in .json is preferred to one in .md. A request that was
// answered stays in the outbox. <id> is the request's address (task, strategy, seed, step, slot) made safe
// for a file name, and 12 digits of the request's hash; it is the same in every process, so answers may come
// days later, to another process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "llm_clients/client.hpp"

namespace ridgeline::llm {

/// Returns <id>. Its hash is the request's `request_hash`, or a hash of the messages if that is empty.
std::string mailbox_id(const LlmRequest& request);

/// A request as read back from the outbox.
struct MailboxRequest {
  std::string id;
  std::string address;
  std::string request_hash;
  std::vector<Message> messages;
};

/// An answer as read from the inbox; "" for what it does not say.
struct MailboxAnswer {
  std::string problem;  ///< why it cannot be read, and the fix; then only `version` is set besides
  std::string version;  ///< with a problem: changes when the file is written again; else ""
  std::string text;
  std::string model;
  std::string reasoning;
  std::string finish_reason;
  Usage usage;
  std::string usage_problem;  ///< why `usage` could not be read; the answer counts all the same
  std::string raw;            ///< the file's bytes
};

class MailboxFolder {
 public:
  explicit MailboxFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Makes outbox/ and inbox/. Throws BadInput if the folder cannot be made.
  void prepare() const;
  /// Writes the request; does not touch files that hold the same already. Throws MachineCannot if it cannot.
  void put(const std::string& id, const LlmRequest& request, int max_output_tokens) const;
  /// Removes the request from the outbox, because its answer is not needed any more. A file that cannot be
  /// removed stays.
  void withdraw(const std::string& id) const;
  /// Returns the answer, or nothing while there is none. Never throws; a bad answer has a `problem`.
  std::optional<MailboxAnswer> answer(const std::string& id) const;
  /// Writes <id>.problem.txt for whoever answers; removes it if `problem` is empty. Throws MachineCannot if
  /// it cannot be written.
  void report_problem(const std::string& id, const std::string& problem) const;
  /// Returns all requests of the outbox, in order of their ids. Throws BadInput for a file that is no
  /// request.
  std::vector<MailboxRequest> requests() const;

  std::filesystem::path inbox() const { return folder_ / "inbox"; }
  std::filesystem::path outbox() const { return folder_ / "outbox"; }

 private:
  std::filesystem::path folder_;
};

}  // namespace ridgeline::llm
