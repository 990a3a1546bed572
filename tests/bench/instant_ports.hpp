// A model and an evaluator that cost nothing: what is left of a campaign's time is the engine's own.
//
// Both answer on the io_context's thread, never from inside the call, as the ports promise.
#pragma once

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "engine/evaluation/evaluator.hpp"
#include "llm_clients/client.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::bench {

/// A kernel of about `bytes` bytes; another `mark` is another source.
inline std::string kernel_source(const std::string& task, const std::string& mark, std::size_t bytes) {
  auto source = fmt::format(
      "#include <cstdint>\n\n// {}\nextern \"C\" void kernel_{}(const float* x, float* y, int64_t n) {{\n",
      mark, task);
  for (int line = 0; source.size() + 60 < bytes; ++line)
    source += fmt::format("  for (int64_t i = {0}; i < n; i += 4) y[i] = x[i] * {0}.5f;\n", line);
  return source + "}\n";
}

/// Answers every call with another kernel, and keeps as much of the exchange as a provider does.
class InstantModel final : public LlmClient {
 public:
  InstantModel(boost::asio::io_context& io, std::string task, std::size_t source_bytes)
      : io_(io), task_(std::move(task)), source_bytes_(source_bytes) {}

  void complete(LlmRequest request, Completion done) override {
    LlmResult result;
    for (const auto& message : request.messages) result.raw_request += message.content;
    ++calls_;
    prompt_bytes_ += static_cast<std::int64_t>(result.raw_request.size());
    result.text = "Here it is.\n\n```cpp\n" + kernel_source(task_, request.address, source_bytes_) + "```\n";
    result.raw_response = result.text;
    result.finish_reason = "stop";
    result.usage = {2000, 1000, 0, 0, true};
    result.attempts = 1;
    boost::asio::post(
        io_, [done = std::move(done), result = std::move(result)]() mutable { done(std::move(result)); });
  }

  std::int64_t calls() const { return calls_; }
  double mean_prompt_bytes() const {
    return calls_ == 0 ? 0 : static_cast<double>(prompt_bytes_) / static_cast<double>(calls_);
  }

 private:
  boost::asio::io_context& io_;
  std::string task_;
  std::size_t source_bytes_;
  std::int64_t calls_ = 0;
  std::int64_t prompt_bytes_ = 0;
};

/// A verdict that depends on the candidate's hash alone: three of four are correct, with 100 raw samples.
class InstantEvaluator final : public Evaluator {
 public:
  explicit InstantEvaluator(boost::asio::io_context& io) : io_(io) {}

  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) override {
    const auto& hash = request.candidate.hash;
    const double seconds = 1e-4 * (1 + (hash[1] % 16));
    auto verdict = hash[0] % 4 == 0 ? store::samples::failed_verdict(request.task->hash, hash,
                                                                     Stage::correctness, Reason::wrong_values)
                                    : store::samples::correct_verdict(request.task->hash, hash, seconds);
    boost::asio::post(
        io_, [done = std::move(done), verdict = std::move(verdict)]() mutable { done(std::move(verdict)); });
  }

 private:
  boost::asio::io_context& io_;
};

}  // namespace ridgeline::bench
