#include "llm_clients/mailbox_folder.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "llm_clients/atomic_file.hpp"
#include "llm_clients/json_access.hpp"
#include "llm_clients/recorded_json.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

constexpr const char* kFormat = "ridgeline-mailbox";
constexpr std::uintmax_t kLargestAnswer = 64u << 20;  // bytes
constexpr std::size_t kLongestName = 160;  // file systems allow 255 bytes; hashes and endings are added

std::string hash_of(const LlmRequest& request) {
  return request.request_hash.empty() ? sha256(messages_text(request.messages)) : request.request_hash;
}

std::string request_text(const std::string& id, const LlmRequest& request, int max_output_tokens) {
  nlohmann::ordered_json letter;
  letter["format"] = kFormat;
  letter["version"] = 1;
  letter["id"] = id;
  letter["address"] = request.address;
  letter["request_hash"] = hash_of(request);
  letter["model"] = request.model;
  // null leaves the temperature to whoever answers.
  letter["temperature"] = request.temperature >= 0 ? nlohmann::ordered_json(request.temperature) : nullptr;
  letter["max_output_tokens"] = max_output_tokens;
  letter["messages"] = messages_json(request.messages);
  return letter.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string readable_text(const std::string& id, const LlmRequest& request) {
  std::string text = "<!-- " + request.address + "\n     Answer into inbox/" + id +
                     ".md (the text alone) or inbox/" + id +
                     ".json ({\"text\": …, \"model\": …}): write under another name, then rename. -->\n";
  for (const auto& message : request.messages)
    text += "\n# " + message.role + "\n\n" + valid_utf8(message.content) + '\n';
  return text;
}

void write_if_changed(const std::filesystem::path& file, const std::string& content) {
  // An unchanged file keeps its time, so that tools which watch for changes do not answer again.
  if (read_if_exists(file) != content) write_atomically(file, content);
}

MailboxAnswer with_problem(const std::filesystem::path& file, const std::string& problem) {
  std::error_code ignored;
  MailboxAnswer answer;
  answer.problem = file.string() + ' ' + problem;
  answer.version = std::to_string(std::filesystem::file_size(file, ignored)) + '@' +
                   std::to_string(std::filesystem::last_write_time(file, ignored).time_since_epoch().count());
  return answer;
}

MailboxAnswer json_answer(const std::filesystem::path& file, const std::string& id, std::string raw) {
  const auto json = parse_foreign_json(raw);
  if (!json || !member(*json, "text").is_string())
    return with_problem(file, std::string(json ? "has no string at \"text\"" : "is no JSON") +
                                  "; expected {\"text\": \"the whole answer\", \"model\": \"who answered\"}");
  // Guards against answers that were saved under the wrong name: the kernel would be judged against another
  // task.
  if (const auto& other = text_at(*json, "id"); !other.empty() && other != id)
    return with_problem(file, "says that it answers the request " + excerpt(other, kLongestName) +
                                  "; put it under that name, and the answer to this request here");
  MailboxAnswer answer;
  answer.text = text_at(*json, "text");
  answer.model = text_at(*json, "model");
  answer.reasoning = text_at(*json, "reasoning");
  answer.finish_reason = text_at(*json, "finish_reason");
  answer.usage = usage_of(member(*json, "usage"), &answer.usage_problem);
  answer.raw = std::move(raw);
  return answer;
}

MailboxAnswer text_answer(std::string raw) {
  MailboxAnswer answer;
  answer.text = valid_utf8(raw);
  answer.raw = std::move(raw);
  return answer;
}

/// Returns why `file` cannot be an answer, whatever its content; "" if it can be, or does not exist.
std::string unreadable(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) return "";
  if (std::filesystem::is_directory(status)) return "is a folder; put a file of that name there";
  if (!std::filesystem::is_regular_file(status)) return "is no file; put one of that name there";
  const auto size = std::filesystem::file_size(file, error);
  if (!error && size > kLargestAnswer)
    return "has " + std::to_string(size) + " bytes, and an answer may have " +
           std::to_string(kLargestAnswer) + "; put a shorter one there";
  return "";
}

MailboxRequest request_of(const std::filesystem::path& file) {
  const auto json = nlohmann::json::parse(read_if_exists(file).value_or(""), nullptr, false);
  if (!json.is_object() || text_at(json, "format") != kFormat)
    throw BadInput(file.string() + " is no request of a mailbox; take it out of the outbox");
  return {.id = file.stem().string(),
          .address = text_at(json, "address"),
          .request_hash = text_at(json, "request_hash"),
          .messages = messages_of(member(json, "messages"), file.string())};
}

}  // namespace

std::string mailbox_id(const LlmRequest& request) {
  std::string name = request.address.empty() ? "request" : request.address;
  std::ranges::replace_if(
      name,
      [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                 c == '.');
      },
      '_');
  // A hidden name would be taken for a file that is being written.
  if (name.front() == '.') name.front() = '_';
  // The hash of the whole address keeps two long addresses with one beginning apart.
  if (name.size() > kLongestName)
    name = name.substr(0, kLongestName) + '-' + std::string(short_hash(sha256(request.address)));
  return name + '-' + std::string(short_hash(hash_of(request)));
}

void MailboxFolder::prepare() const {
  for (const auto& part : {outbox(), inbox()}) {
    std::error_code error;
    std::filesystem::create_directories(part, error);
    if (error)
      throw BadInput("cannot make the mailbox folder " + part.string() + ": " + error.message() +
                     "; look at `path` of the model entry");
  }
}

void MailboxFolder::put(const std::string& id, const LlmRequest& request, int max_output_tokens) const {
  write_if_changed(outbox() / (id + ".md"), readable_text(id, request));
  // The .json last: a program that waits for it finds the .md there too.
  write_if_changed(outbox() / (id + ".json"), request_text(id, request, max_output_tokens));
}

void MailboxFolder::withdraw(const std::string& id) const {
  std::error_code ignored;  // a request that stays only costs somebody a needless answer
  for (const auto* ending : {".json", ".md"}) std::filesystem::remove(outbox() / (id + ending), ignored);
}

std::optional<MailboxAnswer> MailboxFolder::answer(const std::string& id) const {
  // A .json answer is preferred, because it can carry usage and the model's name.
  for (const bool json : {true, false}) {
    const auto file = inbox() / (id + (json ? ".json" : ".md"));
    if (const auto problem = unreadable(file); !problem.empty()) return with_problem(file, problem);
    try {
      auto raw = read_if_exists(file);
      // Some editors and network file systems create a file before they write it.
      if (!raw || raw->empty()) continue;
      return json ? json_answer(file, id, std::move(*raw)) : text_answer(std::move(*raw));
    } catch (const MachineCannot& error) {
      return with_problem(file, std::string("cannot be read: ") + error.what() + "; make it readable");
    }
  }
  return std::nullopt;
}

void MailboxFolder::report_problem(const std::string& id, const std::string& problem) const {
  const auto file = inbox() / (id + ".problem.txt");
  std::error_code ignored;
  if (problem.empty())
    std::filesystem::remove(file, ignored);
  else
    write_if_changed(file, problem + '\n');
}

std::vector<MailboxRequest> MailboxFolder::requests() const {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(outbox(), error), end; !error && at != end;
       at.increment(error)) {
    const auto name = at->path().filename().string();
    if (name.ends_with(".json") && !name.starts_with('.')) files.push_back(at->path());
  }
  if (error) throw BadInput(outbox().string() + ": " + error.message() + "; is this a mailbox?");
  std::ranges::sort(files, {}, [](const std::filesystem::path& file) { return file.stem(); });  // by id
  std::vector<MailboxRequest> letters;
  for (const auto& file : files) letters.push_back(request_of(file));
  return letters;
}

}  // namespace ridgeline::llm
