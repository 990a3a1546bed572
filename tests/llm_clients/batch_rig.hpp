// A batch client between a clock and a wire that the test turns by hand.
#pragma once

#include <nlohmann/json.hpp>

#include "llm_clients/batch_client.hpp"
#include "tests/llm_clients/fakes.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm::test {

struct BatchRig {
  std::deque<Sent> wire;
  Clock clock;
  Results results;
  std::vector<FailedAttempt> failed;
  bool may_go_on = true;  ///< what on_failed_attempt says
  std::vector<EndpointState> news;
  ScratchFolder folder;
  bool keeps = true;
  Model model;
  BatchQueue::Limits collect;
  std::unique_ptr<CommandRunner> commands;  ///< the key is printed by them
  std::unique_ptr<LlmClient> client;

  explicit BatchRig(Provider provider = Provider::openai_chat) {
    model.name = "m";
    model.id = "id";
    model.provider = provider;
    model.base_url = "https://api.example/v1";
    model.max_output_tokens = 100;
    model.prices = {.input = 2, .cached_input = {}, .cache_write = {}, .output = 10};
    model.retries = {.attempts = 3, .base = 1, .cap = 60, .longest = 600};
  }

  void start() {
    BatchParts parts;
    parts.model = model;
    if (commands)
      parts.key = KeySource({"print-key"}, 0);
    else
      parts.key = KeySource("sk-0123456789abcdef");
    parts.commands = std::move(commands);
    parts.transport = std::make_unique<RecordingTransport>(wire);
    parts.timers = std::make_unique<ManualTimers>(clock);
    parts.random = [] { return 0.5; };
    if (keeps) parts.folder = folder / "batches";
    parts.on_endpoint = [this](const EndpointState& state) { news.push_back(state); };
    parts.collect = collect;
    client = make_batch_client(std::move(parts));
  }
  /// As if the process was killed and started again: of what was under way nothing is left but the folder.
  void restart() {
    client.reset();
    clock.run();
    results.all.clear();
    wire.clear();
    start();
  }

  LlmRequest request(const std::string& slot) {
    LlmRequest request;
    request.messages = {{"user", "prompt of " + slot}};
    request.address = "t/s/1/0/" + slot;
    request.request_hash = "hash";
    request.on_failed_attempt = [this](const FailedAttempt& attempt) {
      failed.push_back(attempt);
      return may_go_on;
    };
    return request;
  }
  void ask(const std::string& slot) {
    if (!client) start();
    client->complete(request(slot), results.keep());
    clock.run();
  }
  std::string id_of(const std::string& slot) { return custom_id_of(model, request(slot), ""); }

  void pass(double seconds) {
    clock.wall += std::chrono::duration_cast<WallTime::duration>(std::chrono::duration<double>(seconds));
    clock.advance(seconds);
  }

  Sent& last() { return wire.back(); }
  const std::string& url() { return wire.back().request.url; }
  void say(int status, std::string_view body, HttpHeaders headers = {}) {
    last().answer(status, std::move(headers), body);
    clock.run();
  }
  void say(std::string_view body) { say(200, body); }
  /// To all that is not answered yet.
  void say_to_all(int status) {
    for (std::size_t i = 0; i < wire.size(); ++i)
      if (wire[i].handlers.end) wire[i].answer(status, {}, "");
    clock.run();
  }
  void break_off(HttpEndKind kind = HttpEndKind::cut_short) {
    const auto end = std::move(last().handlers.end);
    end({kind, "broke"});
    clock.run();
  }

  /// The window passes, the upload is taken, the batch is made.
  void create(const std::string& id = "batch_1") {
    pass(collect.window);
    if (url().ends_with("/files")) say(R"({"id":"file-1"})");
    say(state(id));
  }
  std::string state(const std::string& id) const {
    return model.provider == Provider::anthropic
               ? R"({"id":")" + id + R"(","processing_status":"in_progress"})"
               : R"({"id":")" + id + R"(","status":"in_progress"})";
  }
  std::string ended(const std::string& id) const {
    return model.provider == Provider::anthropic
               ? R"({"id":")" + id + R"(","processing_status":"ended"})"
               : R"({"id":")" + id + R"(","status":"completed","output_file_id":"out"})";
  }

  /// A line of results in the provider's words.
  std::string answered(const std::string& slot, const std::string& text) {
    const auto start = R"({"custom_id":")" + id_of(slot);
    if (model.provider == Provider::anthropic)
      return start + R"(","result":{"type":"succeeded","message":{"content":[{"type":"text","text":")" +
             text + R"("}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":20}}}})" +
             "\n";
    return start + R"(","response":{"status_code":200,"body":{"choices":[{"message":{"content":")" + text +
           R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":20}}}})" + "\n";
  }
  std::string errored(const std::string& slot, int status, const std::string& message = "said") {
    return R"({"custom_id":")" + id_of(slot) + R"(","response":{"status_code":)" + std::to_string(status) +
           R"(,"body":{"error":{"message":")" + message + R"("}}}})" + "\n";
  }
  std::string expired(const std::string& slot) {
    const auto start = R"({"custom_id":")" + id_of(slot);
    if (model.provider == Provider::anthropic) return start + R"(","result":{"type":"expired"}})" + "\n";
    return start + R"(","response":null,"error":{"code":"batch_expired","message":"late"}})" + "\n";
  }

  /// The next look finds the batch ended, and these are its results.
  void end_with(const std::string& lines, const std::string& id = "batch_1") {
    while (!url().ends_with("/" + id) || !last().handlers.end) pass(300);
    say(ended(id));
    say(lines);
  }

  std::vector<BatchRecord> records() {
    const auto url = batch_address(model, "").root + batch_dialect_of(model.provider)->path;
    return BatchJournal(folder / "batches").read(model.provider, url, clock.wall);
  }
};

}  // namespace ridgeline::llm::test
