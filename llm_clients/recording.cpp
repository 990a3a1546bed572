#include "llm_clients/recording.hpp"

#include <algorithm>
#include <fstream>
#include <istream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "engine/compression/frame.hpp"
#include "engine/core/error.hpp"
#include "llm_clients/atomic_file.hpp"
#include "llm_clients/json_access.hpp"
#include "llm_clients/mailbox_folder.hpp"
#include "llm_clients/recorded_json.hpp"

namespace ridgeline::llm {
namespace {

constexpr const char* kRecordingFormat = "ridgeline-recording";
constexpr std::int64_t kVersion = 1;
constexpr int kSmallestLevel = 19;  // a recording is written once and copied often

Recording header_of(const std::string& line, const std::string& where) {
  const auto header = nlohmann::json::parse(line, nullptr, false);
  if (!header.is_object() || text_at(header, "format") != kRecordingFormat)
    throw BadInput(
        where + ": no recording begins here; expected {\"format\":\"ridgeline-recording\",\"version\":1,…}");
  const auto version = integer_at(header, "version");
  if (!version || *version < 1) throw BadInput(where + ": the key \"version\" is missing or no number");
  // A newer version may mean something else by the same keys.
  if (*version > kVersion)
    throw BadInput(where + ": the recording has version " + std::to_string(*version) +
                   " and this program reads up to " + std::to_string(kVersion) + "; use a newer program");
  Recording recording;
  recording.model = text_at(header, "model");
  recording.recorded_at = text_at(header, "recorded_at");
  recording.note = text_at(header, "note");
  return recording;
}

bool names_compressed(const std::filesystem::path& file) {
  return file.extension() == ".zst";
}

/// Throws BadInput if the last line, which has no line end, is incomplete.
void refuse_torn(const std::string& line, const std::string& where) {
  if (nlohmann::json::accept(line)) return;
  throw BadInput(
      where +
      ": the recording is cut off in the middle of this line; copy or record it again, or delete the "
      "line (the answer in it is then missing)");
}

}  // namespace

Recording read_recording(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw BadInput("the recording " + file.string() + " is a folder; name the file in it");
  std::ifstream lines(file);
  if (!lines.is_open())
    throw BadInput("cannot read the recording " + file.string() + "; look at `path` of the model entry");
  if (names_compressed(file)) {
    std::istringstream text(compression::decompressed_file(file));
    return read_recording(text, file.string());
  }
  return read_recording(lines, file.string());
}

Recording read_recording(std::istream& lines, const std::string& name) {
  std::string line;
  std::size_t number = 1;
  if (!std::getline(lines, line))
    throw BadInput(name + ": the recording is empty; record it again, or name another in `path`");
  // A file that was cut off would replay as missing answers much later, so it is refused here.
  if (lines.eof()) refuse_torn(line, name + ":1");
  Recording recording = header_of(line, name + ":1");
  std::set<std::string> seen;
  while (std::getline(lines, line)) {
    const auto where = name + ':' + std::to_string(++number);
    // A blank line at the end is a common artefact of editors.
    if (line.empty()) continue;
    if (lines.eof()) refuse_torn(line, where);
    recording.answers.push_back(answer_of_line(line, where));
    const auto address = to_string(recording.answers.back().address);
    if (!seen.insert(address).second)
      throw BadInput(where + ": a second answer for " + address + "; keep one");
  }
  return recording;
}

void write_recording(const Recording& recording, const std::filesystem::path& file) {
  nlohmann::ordered_json header;
  header["format"] = kRecordingFormat;
  header["version"] = kVersion;
  header["model"] = recording.model;
  header["recorded_at"] = recording.recorded_at;
  header["note"] = recording.note;
  std::string content = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  std::set<std::string> seen;
  for (const auto& answer : recording.answers) {
    const auto address = to_string(answer.address);
    if (!seen.insert(address).second)
      throw BadInput("two answers for " + address + " in one recording; keep one");
    content += recorded_line(answer) + '\n';
  }
  write_atomically(file, names_compressed(file) ? compression::compressed(content, kSmallestLevel) : content);
}

std::vector<RecordedAnswer> answers_of_mailbox(const std::filesystem::path& folder) {
  const MailboxFolder mailbox(folder);
  std::vector<RecordedAnswer> answers;
  for (const auto& request : mailbox.requests()) {
    // Requests that nobody has answered yet are left out; a recording may be made of a part.
    const auto reply = mailbox.answer(request.id);
    if (!reply) continue;
    if (!reply->problem.empty()) throw BadInput(reply->problem);
    const auto address = parse_call_address(request.address);
    if (!address)
      throw BadInput("the request " + request.id + " has the address \"" + request.address +
                     "\", which is not task/strategy/seed/step/slot");
    answers.push_back({.address = *address,
                       .request_hash = request.request_hash,
                       .prompt = request.messages,
                       .text = reply->text,
                       .reasoning = reply->reasoning,
                       .finish_reason = reply->finish_reason,
                       .usage = reply->usage});
  }
  const auto key = [](const RecordedAnswer& answer) {
    const auto& at = answer.address;
    return std::tie(at.task, at.strategy, at.seed, at.step, at.slot);
  };
  // Sorted, so that two recordings of one mailbox are equal byte for byte.
  std::ranges::sort(answers, {}, key);
  return answers;
}

}  // namespace ridgeline::llm
