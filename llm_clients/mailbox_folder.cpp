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
constexpr std::size_t kLongestName = 160;  // file systems take 255 bytes; ".problem.txt" and more come on top

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
  if (read_if_there(file) != content) write_atomically(file, content);
}

MailboxAnswer json_answer(const std::filesystem::path& file, std::string raw) {
  MailboxAnswer answer;
  const auto json = parse_foreign_json(raw);
  if (!json || !member(*json, "text").is_string()) {
    answer.problem = file.string() + (json ? " has no string at \"text\"" : " is no JSON") +
                     "; expected {\"text\": \"the whole answer\", \"model\": \"who answered\"}";
    return answer;
  }
  answer.text = text_at(*json, "text");
  answer.model = text_at(*json, "model");
  answer.reasoning = text_at(*json, "reasoning");
  answer.finish_reason = text_at(*json, "finish_reason");
  answer.usage = usage_of(member(*json, "usage"));
  answer.raw = std::move(raw);
  return answer;
}

MailboxLetter letter_of(const std::filesystem::path& file) {
  const auto json = nlohmann::json::parse(read_if_there(file).value_or(""), nullptr, false);
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
  if (name.front() == '.') name.front() = '_';
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
  // Last: who watches for the .json finds the .md there too.
  write_if_changed(outbox() / (id + ".json"), request_text(id, request, max_output_tokens));
}

std::optional<MailboxAnswer> MailboxFolder::answer(const std::string& id) const {
  const auto json = inbox() / (id + ".json");
  if (auto raw = read_if_there(json); raw && !raw->empty()) return json_answer(json, std::move(*raw));
  if (auto raw = read_if_there(inbox() / (id + ".md")); raw && !raw->empty()) {
    MailboxAnswer answer;
    answer.text = valid_utf8(*raw);
    answer.raw = std::move(*raw);
    return answer;
  }
  return std::nullopt;
}

void MailboxFolder::tell(const std::string& id, const std::string& problem) const {
  const auto file = inbox() / (id + ".problem.txt");
  std::error_code ignored;
  if (problem.empty())
    std::filesystem::remove(file, ignored);
  else
    write_if_changed(file, problem + '\n');
}

std::vector<MailboxLetter> MailboxFolder::letters() const {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(outbox(), error)) {
    const auto name = entry.path().filename().string();
    if (name.ends_with(".json") && !name.starts_with('.')) files.push_back(entry.path());
  }
  if (error) throw BadInput(outbox().string() + ": " + error.message() + "; is this a mailbox?");
  std::ranges::sort(files);
  std::vector<MailboxLetter> letters;
  for (const auto& file : files) letters.push_back(letter_of(file));
  return letters;
}

}  // namespace ridgeline::llm
