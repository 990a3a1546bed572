// Ports of a campaign that answer at once, on the loop's thread, and remember what they were asked.
#pragma once

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "engine/evaluation/evaluator.hpp"
#include "llm_clients/client.hpp"

namespace ridgeline::campaign {

/// Writes another kernel at each call, unless it is silent.
class FakeModel final : public llm::LlmClient {
 public:
  explicit FakeModel(boost::asio::io_context& io) : io_(io) {}

  void complete(llm::LlmRequest request, llm::Completion done) override {
    if (stopped) {
      llm::LlmResult cancelled;
      cancelled.status = llm::LlmStatus::cancelled;
      boost::asio::post(io_, [done = std::move(done), cancelled] { done(cancelled); });
      return;
    }
    requests.push_back(request);
    if (silent) return;
    llm::LlmResult result;
    result.status = status;
    result.fault = fault;
    if (longest_prompt > 0 && request.messages.back().content.size() > longest_prompt) {
      result.status = llm::LlmStatus::context_exceeded;
      result.fault = llm::Fault::request;
    }
    if (fault == llm::Fault::endpoint || fault == llm::Fault::account) {
      llm::FailedAttempt attempt;
      attempt.number = 1;
      attempt.status = status;
      attempt.unsettled = unsettled;
      if (request.on_failed_attempt) request.on_failed_attempt(attempt);
      boost::asio::post(io_, [done = std::move(done), result = std::move(result)] { done(result); });
      return;
    }
    ++answered;
    result.detail = "as the test wants it";
    result.text = "```cpp\nextern \"C\" void kernel_t() { /* " + request.address + " */ }\n```";
    result.usage = {10, 5, 0, 0, true};
    result.usd = 0.01;
    result.attempts = 1;
    if (!random) {
      boost::asio::post(io_, [done = std::move(done), result = std::move(result)] { done(result); });
      return;
    }
    waiting_.push_back({request.address, std::move(done), std::move(result)});
    if (waiting_.size() == 1) boost::asio::post(io_, [this] { answer_one(); });
  }

  /// Lets the next answer come, so that answers come no faster than the campaign commits them.
  void committed() {
    if (random) answer_one();
  }

  /// Breaks the call off. Its result says in `unsettled` what it may have cost.
  void cancel(const std::string& address) override {
    const auto found = std::ranges::find(waiting_, address, &Waiting::address);
    if (found == waiting_.end()) return;
    ++broken_off;
    auto result = std::move(found->result);
    result.status = llm::LlmStatus::cancelled;
    result.fault = llm::Fault::endpoint;
    result.text.clear();
    result.usage = {};
    result.usd = 0;
    result.unsettled = {15, 0.01};
    boost::asio::post(io_, [done = std::move(found->done), result = std::move(result)] { done(result); });
    waiting_.erase(found);
  }

  void stop_sending() override { stopped = true; }

  llm::LlmStatus status = llm::LlmStatus::answered;
  llm::Fault fault = llm::Fault::none;
  llm::Cost unsettled;             ///< possible cost of each failed attempt
  std::size_t longest_prompt = 0;  ///< bytes that the model takes; 0 for any number
  int answered = 0;                ///< requests that were billed
  bool stopped = false;            ///< stop_sending was called
  bool silent = false;             ///< never answer again
  std::mt19937* random = nullptr;  ///< draws the order of answers; null for the order of requests
  int broken_off = 0;              ///< calls that `cancel` ended
  std::vector<llm::LlmRequest> requests;

 private:
  struct Waiting {
    std::string address;
    llm::Completion done;
    llm::LlmResult result;
  };

  void answer_one() {
    if (waiting_.empty()) return;  // cancelled since
    std::swap(waiting_[(*random)() % waiting_.size()], waiting_.back());
    auto drawn = std::move(waiting_.back());
    waiting_.pop_back();
    drawn.done(std::move(drawn.result));
  }

  boost::asio::io_context& io_;
  std::vector<Waiting> waiting_;
};

/// Judges by the source alone, so that every run gets the same verdicts.
class FakeEvaluator final : public evaluation::Evaluator {
 public:
  explicit FakeEvaluator(boost::asio::io_context& io) : io_(io) {}

  void evaluate(evaluation::EvaluateRequest request, std::function<void(Verdict)> done) override {
    if (++evaluations > most && most >= 0) return;
    Verdict verdict;
    if (failing && failing(request.candidate)) {
      verdict.at(Stage::build) = {Status::unavailable, reason, "as the test wants it", 0};
      boost::asio::post(io_, [done = std::move(done), verdict] { done(verdict); });
      return;
    }
    verdict.task = request.task->hash;
    verdict.candidate = request.candidate.hash;
    for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing})
      verdict.at(stage).status = Status::passed;
    if (request.candidate.hash[0] < first_correct)
      verdict.at(Stage::correctness) = {Status::failed, Reason::wrong_values, "", 0};
    boost::asio::post(io_, [done = std::move(done), verdict = std::move(verdict)] { done(verdict); });
  }

  void prove(std::shared_ptr<const Task>, std::function<void(std::string)> done) override {
    boost::asio::post(io_, [this, done = std::move(done)] { done(works ? "" : "no device"); });
  }

  bool works = true;                              ///< whether `prove` succeeds
  std::function<bool(const Candidate&)> failing;  ///< candidates at which the machine fails
  Reason reason = Reason::worker_lost;            ///< why it fails at them
  char first_correct = '8';  ///< candidates are correct whose hash begins with this character or a later one
  int evaluations = 0;
  int most = -1;  ///< evaluations that are answered; negative for all

 private:
  boost::asio::io_context& io_;
};

}  // namespace ridgeline::campaign
