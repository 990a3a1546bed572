#include "llm_clients/mailbox_client.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "engine/core/error.hpp"
#include "llm_clients/answer.hpp"
#include "llm_clients/call_result.hpp"
#include "llm_clients/mailbox_folder.hpp"
#include "llm_clients/prices.hpp"
#include "llm_clients/protocol.hpp"
#include "llm_clients/recorded_json.hpp"

namespace ridgeline::llm {
namespace {

constexpr std::chrono::seconds kGracePeriod{10};

class MailboxClient : public LlmClient {
 public:
  MailboxClient(Model model, std::unique_ptr<Timers> timers, const MakeWatch& make_watch)
      : model_(std::move(model)), folder_(model_.path), timers_(std::move(timers)) {
    folder_.prepare();
    watch_ = make_watch(folder_.inbox(), [this] { check_inbox(); });
  }

  ~MailboxClient() override {
    auto result = stopped_result();
    result.detail = "the client was destroyed before the answer came; the request stays in the mailbox";
    for (auto& [id, waiting] : waiting_) deliver(std::move(waiting.done), result);
  }

  /// Leaves the requests in the mailbox, so that answers which come meanwhile are used when the campaign goes
  /// on.
  void stop_sending() override {
    stopped_ = true;
    for (auto& [id, waiting] : waiting_) deliver(std::move(waiting.done), stopped_result());
    waiting_.clear();
    watch_->enable(false);
  }

  void cancel(const std::string& address) override {
    const auto found =
        std::ranges::find_if(waiting_, [&](const auto& entry) { return entry.second.address == address; });
    if (found == waiting_.end()) return;
    auto result = stopped_result();
    result.detail = "it was given up; its request was taken out of the mailbox";
    const auto id = found->first;
    deliver(std::move(found->second.done), std::move(result));
    waiting_.erase(found);
    // Another request with the same id may still wait for this answer.
    if (!waiting_.contains(id)) {
      folder_.withdraw(id);
      problems_.erase(id);  // the grace period begins anew if it is asked again
    }
    if (waiting_.empty()) watch_->enable(false);
  }

  void complete(LlmRequest request, Completion done) override {
    if (stopped_) return deliver(std::move(done), stopped_result());
    const auto id = mailbox_id(request);
    try {
      folder_.put(id, request, effective_max_tokens(model_, request));
    } catch (const MachineCannot& error) {
      LlmResult result;
      result.status = LlmStatus::connection_failed;
      result.fault = Fault::endpoint;
      result.detail = error.what();
      deliver(std::move(done), std::move(result));
      return;
    }
    waiting_.emplace(
        id, Waiting{messages_text(request.messages), request.address, timers_->now(), std::move(done)});
    // A resumed campaign finds most of its answers there already.
    if (!take(id)) watch_->enable(true);
  }

 private:
  struct Waiting {
    std::string raw_request;
    std::string address;
    TimePoint since;
    Completion done;
  };

  struct Problem {
    std::string version;
    TimePoint since;
  };

  void check_inbox() {
    std::vector<std::string> ids;
    for (const auto& [id, waiting] : waiting_)
      // Equal ids are adjacent in a multimap. Collected first, since `take` changes the map.
      if (ids.empty() || ids.back() != id) ids.push_back(id);
    for (const auto& id : ids) take(id);
    if (waiting_.empty()) watch_->enable(false);
  }

  /// Completes all requests with `id` if the answer is there, or is bad and past its grace period.
  bool take(const std::string& id) {
    const auto answer = folder_.answer(id);
    if (!answer) return false;
    report_problem(id, answer->problem);
    if (!answer->problem.empty() && !is_beyond_grace(id, *answer)) return false;
    // The next bad answer to this id has a grace period of its own.
    problems_.erase(id);
    const auto [first, last] = waiting_.equal_range(id);
    for (auto waiting = first; waiting != last; ++waiting)
      deliver(std::move(waiting->second.done), result_of(waiting->second, *answer));
    waiting_.erase(first, last);
    return true;
  }

  void report_problem(const std::string& id, const std::string& problem) const {
    try {
      folder_.report_problem(id, problem);
    } catch (const MachineCannot&) {
      // The inbox cannot be written. The result will contain the problem too.
    }
  }

  /// Whether a bad answer has stayed unchanged for the grace period. A file that is written in place looks
  /// bad until it is complete.
  bool is_beyond_grace(const std::string& id, const MailboxAnswer& answer) {
    auto& problem = problems_[id];
    if (problem.version != answer.version) problem = {answer.version, timers_->now()};
    return timers_->now() - problem.since >= kGracePeriod;
  }

  LlmResult result_of(const Waiting& waiting, const MailboxAnswer& answer) const {
    LlmResult result;
    result.model_id = model_.id;
    result.raw_request = waiting.raw_request;
    if (!answer.problem.empty()) {
      result.status = LlmStatus::malformed;
      result.fault = Fault::account;  // pauses the campaign until a person repairs the file
      result.detail = answer.problem;
      return result;
    }
    result.status = status_of_finish(answer.finish_reason);
    result.fault = result.ok() ? Fault::none : Fault::request;
    if (result.status != LlmStatus::answered) result.detail = "answered with the end " + answer.finish_reason;
    if (!answer.usage_problem.empty())
      result.detail += (result.detail.empty() ? "" : "; ") + answer.usage_problem;
    result.text = answer.text;
    result.reasoning = answer.reasoning;
    result.finish_reason = answer.finish_reason;
    result.usage = answer.usage;
    result.usd = cost_usd(answer.usage, model_.prices);
    result.provider_model = answer.model;
    result.raw_response = answer.raw;
    result.seconds = std::chrono::duration<double>(timers_->now() - waiting.since).count();
    result.attempts = 1;
    return result;
  }

  void deliver(Completion done, LlmResult result) {
    const auto kept = std::make_shared<LlmResult>(std::move(result));
    timers_->post([done = std::move(done), kept] { done(std::move(*kept)); });
  }

  Model model_;
  MailboxFolder folder_;
  std::unique_ptr<Timers> timers_;
  std::multimap<std::string, Waiting> waiting_;  ///< by id; two equal requests share one file
  std::map<std::string, Problem> problems_;      ///< by id
  std::unique_ptr<FolderWatch> watch_;
  bool stopped_ = false;
};

}  // namespace

std::unique_ptr<LlmClient> make_mailbox_client(Model model, std::unique_ptr<Timers> timers,
                                               const MakeWatch& make_watch) {
  return std::make_unique<MailboxClient>(std::move(model), std::move(timers), make_watch);
}

}  // namespace ridgeline::llm
