// Effects that record what is asked and answer from a script: no model, worker, socket or clock.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"

namespace ridgeline::testing {

class FakeEffects : public Effects {
 public:
  using Script = std::function<Attempt(const Ask& ask, int round, std::size_t slot)>;
  explicit FakeEffects(Script script) : script_(std::move(script)) {}

  std::vector<Batch> batches;
  bool deferred = false;  ///< hold each result back until `release`
  const char* lowest = nullptr;
  const char* highest = nullptr;  ///< where the stack was, over all performances

  void release() {
    auto done = std::exchange(held_, nullptr);
    done(std::exchange(held_results_, {}));
  }
  bool holds() const { return held_ != nullptr; }
  std::ptrdiff_t stack_growth() const { return highest - lowest; }

 private:
  void perform(Batch batch, Done done) override {
    // Not a local's address: a sanitizer may keep locals off the stack.
    const auto* here = static_cast<const char*>(__builtin_frame_address(0));
    if (!lowest || here < lowest) lowest = here;
    if (!highest || here > highest) highest = here;
    std::vector<Attempt> results;
    for (std::size_t slot = 0; slot < batch.asks.size(); ++slot)
      results.push_back(script_(batch.asks[slot], batch.round, slot));
    batches.push_back(std::move(batch));
    if (deferred) {
      held_ = std::move(done);
      held_results_ = std::move(results);
    } else {
      done(std::move(results));
    }
  }

  Script script_;
  Done held_;
  std::vector<Attempt> held_results_;
};

/// Runs to the end (with synchronous effects) and passes exceptions on. False if it did not end.
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
  attempt.evaluated = std::make_shared<const Evaluated>(Evaluated{*attempt.answer.candidate, verdict, round});
  return attempt;
}

inline Attempt correct(const std::string& source, double speedup) {
  Verdict verdict;
  for (auto& stage : verdict.stages) stage.status = Status::passed;
  verdict.timing = Timing{};
  verdict.timing->speedup = speedup;
  return answered(source, verdict);
}

/// Passes every stage before `stage`.
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

/// Everything that a decision shows in, for comparing whole runs.
inline std::string trace(const std::vector<Effects::Batch>& batches) {
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
