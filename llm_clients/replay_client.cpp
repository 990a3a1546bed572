#include "llm_clients/replay_client.hpp"

#include <unordered_map>

#include "llm_clients/answer.hpp"
#include "llm_clients/call_result.hpp"
#include "llm_clients/prices.hpp"
#include "llm_clients/recorded_json.hpp"

namespace ridgeline::llm {
namespace {

class ReplayClient : public LlmClient {
 public:
  ReplayClient(Model model, Recording recording, std::string source, std::unique_ptr<Timers> timers)
      : model_(std::move(model)),
        source_(std::move(source)),
        by_(std::move(recording.model)),
        timers_(std::move(timers)) {
    for (auto& answer : recording.answers) {
      auto address = to_string(answer.address);
      answers_.emplace(std::move(address), std::move(answer));
    }
  }

  void complete(LlmRequest request, Completion done) override {
    const auto result = std::make_shared<LlmResult>(stopped_ ? stopped_result() : look_up(request));
    timers_->post([done = std::move(done), result] { done(std::move(*result)); });
  }

  void stop_sending() override { stopped_ = true; }

 private:
  LlmResult look_up(const LlmRequest& request) const {
    LlmResult result;
    // As for the recorded call, so that a replayed campaign counts like the original.
    result.attempts = 1;
    result.model_id = model_.id;
    result.raw_request = messages_text(request.messages);
    const auto found = answers_.find(request.address);
    if (found == answers_.end()) {
      result.status = LlmStatus::missing_recording;
      result.fault = Fault::request;
      result.detail = source_ + " holds no answer for " + request.address +
                      "; record it: run the campaign with a mailbox or a provider for this model and make a "
                      "recording of it";
      return result;
    }
    const RecordedAnswer& answer = found->second;
    result.status = status_of_finish(answer.finish_reason);
    result.fault = result.ok() ? Fault::none : Fault::request;
    if (result.status != LlmStatus::answered) result.detail = "recorded with the end " + answer.finish_reason;
    result.text = answer.text;
    result.reasoning = answer.reasoning;
    result.finish_reason = answer.finish_reason;
    result.usage = answer.usage;
    result.usd = cost_usd(answer.usage, model_.prices);
    result.provider_model = by_;
    // Stored, so that the journal shows which record was used.
    result.raw_response = recorded_line(answer);
    // The hash also covers settings; the messages are the fallback for recordings written by hand.
    const bool hashes = !request.request_hash.empty() && !answer.request_hash.empty();
    result.diverged =
        hashes ? request.request_hash != answer.request_hash : request.messages != answer.prompt;
    return result;
  }

  Model model_;
  std::string source_;
  std::string by_;
  std::unique_ptr<Timers> timers_;
  std::unordered_map<std::string, RecordedAnswer> answers_;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<LlmClient> make_replay_client(Model model, Recording recording, std::string source,
                                              std::unique_ptr<Timers> timers) {
  return std::make_unique<ReplayClient>(std::move(model), std::move(recording), std::move(source),
                                        std::move(timers));
}

}  // namespace ridgeline::llm
