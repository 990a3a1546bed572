// A mailbox: a folder in which any program or person can be the model.
//
//   outbox/<id>.json   a request: {"format":"ridgeline-mailbox","version":1,"id","address","request_hash",
//                      "model","temperature","max_output_tokens","messages":[{"role","content"}]}
//   outbox/<id>.md     the same to read, with a word on how to answer
//   inbox/<id>.json    an answer: {"text", and optionally "model","reasoning","finish_reason","usage"}
//   inbox/<id>.md      or the answer's text and nothing else
//   inbox/<id>.problem.txt  written here where an answer cannot be read; answer again and it goes away. One
//                      that stays as it is for ten seconds is given up: see mailbox_client.hpp
//
// Every final name is a whole file: both sides write under another name (hidden, or ending in .tmp) and
// rename. An empty file counts as not there yet. <id> is the address made safe for a file name and 12 digits
// of the request's hash, so a mailbox can be left, answered for days, and taken up again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "llm_clients/client.hpp"

namespace ridgeline::llm {

/// `request_hash` of the request, or the hash of its messages where it has none.
std::string mailbox_id(const LlmRequest& request);

struct MailboxLetter {
  std::string id;
  std::string address;
  std::string request_hash;
  std::vector<Message> messages;
};

struct MailboxAnswer {
  std::string problem;  ///< why it cannot be read, and the fix; then the rest is empty but for:
  std::string version;  ///< differs when the file was written anew
  std::string text;
  std::string model;
  std::string reasoning;
  std::string finish_reason;
  Usage usage;
  std::string usage_problem;
  std::string raw;
};

class MailboxFolder {
 public:
  explicit MailboxFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Makes outbox/ and inbox/. Throws BadInput where the folder cannot be used.
  void prepare() const;
  /// Writes the request; a file that already holds the same is left alone.
  void put(const std::string& id, const LlmRequest& request, int max_output_tokens) const;
  /// Takes the request out of the outbox: nobody wants its answer any more.
  void withdraw(const std::string& id) const;
  /// The answer, or nothing while there is none. Never throws: what is wrong is its `problem`.
  std::optional<MailboxAnswer> answer(const std::string& id) const;
  /// Tells whoever answers that `answer` cannot be used, or takes that back with an empty problem.
  void tell(const std::string& id, const std::string& problem) const;
  /// All requests of the outbox, in order of their ids. Throws BadInput for one that is not ours.
  std::vector<MailboxLetter> letters() const;

  std::filesystem::path inbox() const { return folder_ / "inbox"; }
  std::filesystem::path outbox() const { return folder_ / "outbox"; }

 private:
  std::filesystem::path folder_;
};

}  // namespace ridgeline::llm
