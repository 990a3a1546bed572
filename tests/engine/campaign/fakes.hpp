// Ports of a campaign that answer at once, on the loop's thread, and remember what they were asked.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <string>
#include <vector>

#include "engine/evaluation/evaluator.hpp"
#include "llm_clients/client.hpp"

namespace ridgeline::campaign {

/// Writes another kernel at each call, unless told to be silent.
class FakeModel final : public llm::LlmClient {
 public:
  explicit FakeModel(boost::asio::io_context& io) : io_(io) {}

  void complete(llm::LlmRequest request, llm::Completion done) override {
    requests.push_back(request);
    if (silent) return;
    llm::LlmResult result;
    result.status = status;
    result.detail = "as the test wants it";
    result.text = "```cpp\nextern \"C\" void kernel_t() { /* " + request.address + " */ }\n```";
    result.usage = {10, 5, 0, 0, true};
    result.usd = 0.01;
    boost::asio::post(io_, [done = std::move(done), result = std::move(result)] { done(result); });
  }

  llm::LlmStatus status = llm::LlmStatus::answered;
  bool silent = false;
  std::vector<llm::LlmRequest> requests;

 private:
  boost::asio::io_context& io_;
};

/// A verdict that depends on the source alone: what a deterministic evaluator would say.
class FakeEvaluator final : public evaluation::Evaluator {
 public:
  explicit FakeEvaluator(boost::asio::io_context& io) : io_(io) {}

  void evaluate(evaluation::EvaluateRequest request, std::function<void(Verdict)> done) override {
    if (++evaluations > most && most >= 0) return;
    Verdict verdict;
    verdict.task = request.task->hash;
    verdict.candidate = request.candidate.hash;
    for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing})
      verdict.at(stage).status = Status::passed;
    if (request.candidate.hash[0] < '8')
      verdict.at(Stage::correctness) = {Status::failed, Reason::wrong_values, "", 0};
    boost::asio::post(io_, [done = std::move(done), verdict = std::move(verdict)] { done(verdict); });
  }

  int evaluations = 0;
  int most = -1;  ///< that are answered; negative: all

 private:
  boost::asio::io_context& io_;
};

}  // namespace ridgeline::campaign
