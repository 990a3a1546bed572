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

/// The part behind its first lines of a kernel that has about `bytes` bytes.
inline std::string kernel_body(const std::string& task, std::size_t bytes) {
  auto body = fmt::format("extern \"C\" void kernel_{}(const float* x, float* y, int64_t n) {{\n", task);
  for (int line = 0; body.size() + 180 < bytes; ++line)
    body += fmt::format("  for (int64_t i = {0}; i < n; i += 4) y[i] = x[i] * {0}.5f;\n", line);
  return body + "}\n";
}

/// Answers every call with another kernel, and keeps as much of the exchange as a provider does.
class InstantModel final : public llm::LlmClient {
 public:
  InstantModel(boost::asio::io_context& io, const std::string& task, std::size_t source_bytes)
      : io_(io), body_(kernel_body(task, source_bytes)) {}

  void complete(llm::LlmRequest request, llm::Completion done) override {
    llm::LlmResult result;
    result.raw_request.reserve(request.messages.front().content.size() +
                               request.messages.back().content.size());
    for (const auto& message : request.messages) result.raw_request += message.content;
    ++calls_;
    prompt_bytes_ += static_cast<std::int64_t>(result.raw_request.size());
    result.text.reserve(body_.size() + request.address.size() + 64);
    result.text.append("Here it is.\n\n```cpp\n#include <cstdint>\n\n// ").append(request.address);
    result.text.append("\n").append(body_).append("```\n");
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
  std::string body_;
  std::int64_t calls_ = 0;
  std::int64_t prompt_bytes_ = 0;
};

/// A verdict that depends on the candidate's hash alone: three of four are correct, with 100 raw samples.
class InstantEvaluator final : public evaluation::Evaluator {
 public:
  explicit InstantEvaluator(boost::asio::io_context& io) : io_(io) {}

  void evaluate(evaluation::EvaluateRequest request, std::function<void(Verdict)> done) override {
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
