// Fakes Effects: records requests and answers them from a script, without a model, worker, socket or clock.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"

namespace ridgeline::testing {

/// Strategies hand a task on and do not read it.
inline const Task any_task;

class FakeEffects : public Effects {
 public:
  using Script = std::function<Attempt(const Ask& ask, int round, std::size_t slot)>;
  explicit FakeEffects(Script script) : script_(std::move(script)) {}

  struct Batch {
    Kind kind = Kind::ask_and_evaluate;
    int round = 0;
    std::vector<Ask> asks;
  };
  struct Cancelled {
    Address address;
    std::string reason;
  };
  std::vector<Batch> batches;  ///< by step; a request begun outside of a batch is a batch of its own
  std::vector<Cancelled> cancelled;
  bool deferred = false;  ///< hold each result back until `release` or `end`
  const char* lowest = nullptr;
  const char* highest = nullptr;  ///< where the stack was, over all waits

  /// Ends what the strategy waits for.
  void release() { resume_waiting(); }
  /// Ends this request before all others.
  void end(Address address) {
    if (until_ == Until::first && holds()) resume({address});
  }
  bool holds() const { return done_ != nullptr; }
  /// Returns the requests that have neither ended nor been cancelled, in the order of their beginnings.
  std::vector<Address> under_way() const {
    std::vector<Address> all;
    for (const auto& [address, attempt] : results_) all.push_back(address);
    return all;
  }
  std::ptrdiff_t stack_growth() const { return highest - lowest; }

 private:
  void begin(Request request) override {
    const auto [step, slot] = request.address;
    if (batches.size() <= static_cast<std::size_t>(step)) batches.resize(static_cast<std::size_t>(step) + 1);
    results_[request.address] = script_(request.ask, request.round, static_cast<std::size_t>(slot));
    auto& batch = batches[static_cast<std::size_t>(step)];
    batch.kind = request.kind;
    batch.round = request.round;
    batch.asks.push_back(std::move(request.ask));
  }

  void wait(std::vector<Address> among, Until until, Done done) override {
    // Not a local's address: a sanitizer may keep locals off the stack.
    const auto* here = static_cast<const char*>(__builtin_frame_address(0));
    if (!lowest || here < lowest) lowest = here;
    if (!highest || here > highest) highest = here;
    among_ = std::move(among);
    until_ = until;
    done_ = std::move(done);
    if (!deferred) resume_waiting();
  }

  /// Ends the oldest request if the strategy waits for the first end of several.
  void resume_waiting() {
    resume(until_ == Until::all ? std::vector(among_) : std::vector<Address>{among_.front()});
  }

  void cancel(const std::vector<Address>& given_up, const std::string& reason) noexcept override {
    for (const auto address : given_up)
      if (results_.erase(address) > 0) cancelled.push_back({address, reason});
  }

  void resume(const std::vector<Address>& ends) {
    std::vector<End> results;
    for (const auto address : ends) {
      results.push_back({address, std::move(results_.at(address))});
      results_.erase(address);
    }
    const auto done = std::exchange(done_, nullptr);
    done(std::move(results));
  }

  Script script_;
  std::map<Address, Attempt> results_;  ///< of what is under way
  std::vector<Address> among_;
  Until until_ = Until::all;
  Done done_;
};

/// Runs the routine with synchronous effects and passes exceptions on. Returns whether it ended.
inline bool run(Routine<> routine) {
  bool ended = false;
  std::exception_ptr error;
  routine.start([&](std::exception_ptr e) {
    ended = true;
    error = e;
  });
  if (error) std::rethrow_exception(error);
  return ended;
}

inline Attempt answered(const std::string& source, const Verdict& verdict, int round = 0) {
  Attempt attempt;
  attempt.answer.status = AnswerStatus::kernel;
  attempt.answer.candidate = make_candidate(Language::cpp, source);
  attempt.evaluated =
      std::make_shared<const ScoredCandidate>(ScoredCandidate{*attempt.answer.candidate, verdict, round});
  return attempt;
}

inline Attempt correct(const std::string& source, double speedup) {
  Verdict verdict;
  for (auto& stage : verdict.stages) stage.status = Status::passed;
  verdict.timing = Timing{};
  verdict.timing->speedup = speedup;
  return answered(source, verdict);
}

/// Makes a verdict that passes every stage before `stage` and ends there with `status`.
inline Attempt ending_at(const std::string& source, Stage stage, Status status, Reason reason) {
  Verdict verdict;
  for (int s = 0; s < static_cast<int>(stage); ++s) verdict.at(static_cast<Stage>(s)).status = Status::passed;
  verdict.at(stage) = StageResult{status, reason, "", 0};
  return answered(source, verdict);
}

inline Attempt incorrect(const std::string& source) {
  return ending_at(source, Stage::correctness, Status::failed, Reason::wrong_values);
}

inline Attempt without_kernel(AnswerStatus status, const std::string& detail = "") {
  Attempt attempt;
  attempt.answer.status = status;
  attempt.answer.detail = detail;
  return attempt;
}

inline Attempt prose(const std::string& text) {
  Attempt attempt;
  attempt.answer.status = AnswerStatus::prose;
  attempt.answer.text = text;
  return attempt;
}

/// "source errors", the kinds of feedback in the order of the ask.
inline std::string kinds(const Ask& ask) {
  std::string text;
  for (const auto& item : ask.feedback) text += (text.empty() ? "" : " ") + std::string(kind_of(item.data));
  return text;
}

inline Hash hash_of_source(const std::string& source) {
  return make_candidate(Language::cpp, source).hash;
}

/// Writes everything that shows a strategy's decisions, for comparing whole runs.
inline std::string trace(const std::vector<FakeEffects::Batch>& batches) {
  std::string text;
  for (const auto& batch : batches)
    for (const auto& ask : batch.asks) {
      text += std::to_string(batch.round) + " " + ask.role + " " +
              (ask.change ? ask.change->candidate.hash : "-");
      for (const auto& item : ask.feedback)
        text += " " + std::string(kind_of(item.data)) + ":" + item.candidate;
      text += "\n";
    }
  return text;
}

}  // namespace ridgeline::testing
