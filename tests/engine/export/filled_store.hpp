// A store with complete trajectories on three tasks, one a split, as a campaign leaves it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store::samples {

/// Makes the verdict of a candidate.
using Judge = std::function<Verdict(const Hash& task, const Hash& candidate)>;

inline Judge correct_in(double seconds) {
  return [seconds](const Hash& task, const Hash& one) { return correct_verdict(task, one, seconds); };
}
inline Judge fails_at(Stage stage, Reason reason) {
  return
      [stage, reason](const Hash& task, const Hash& one) { return failed_verdict(task, one, stage, reason); };
}

/// Records one step after the other of a trajectory.
class Storyteller {
 public:
  Storyteller(Writer& writer, const TaskRecord& task, Id trajectory)
      : writer_(writer), task_(task), id_(trajectory), number_(static_cast<int>(trajectory) * 100) {}

  /// One kernel; `parent` is what its prompt asked to change, null for a first attempt.
  Candidate attempt(const Candidate* parent, const Judge& judge) {
    auto one = candidate(++number_, parent != nullptr ? std::vector{parent->hash} : std::vector<Hash>{});
    record(one, 0, judge);
    ++step_;
    return one;
  }
  /// First attempts, all answers to one prompt.
  void siblings(const std::vector<Judge>& judges) {
    int slot = 0;
    for (const auto& judge : judges) record(candidate(++number_), slot++, judge);
    ++step_;
  }
  void reflect(const Candidate& about, const std::string& role, const std::string& text) {
    auto critic = ask(id_, step_++, 0, nullptr);
    critic.role = role;
    critic.critic = true;
    critic.status = AnswerStatus::prose;
    critic.response_text = text;
    critic.feedback = R"([{"kind":"source","about":")" + about.hash + R"("}])";
    writer_.record(std::move(critic), std::nullopt, {});
  }
  void answer_without_code() { writer_.record(ask(id_, step_++, 0, nullptr), std::nullopt, {}); }

 private:
  void record(const Candidate& one, int slot, const Judge& judge) {
    writer_.record(ask(id_, step_, slot, &one), one, {});
    writer_.record(evaluation(id_, step_, slot, judge(task_.hash, one.hash)), {});
  }

  Writer& writer_;
  const TaskRecord& task_;
  Id id_;
  int number_;
  int step_ = 0;
};

/// Names whose split_of is train, validation and test in this order; a test pins that.
inline const std::vector<std::string> task_names{"matmul", "layer_norm", "softmax"};

/// Each task has an iterative trajectory (a build failure, a crash, a wrong result on a hidden case, correct,
/// faster, as fast, wrong again) with a critic, one of best-of-n with four siblings, and one of a cheat.
inline void fill(Writer& writer) {
  auto quickstart = campaign();
  std::vector<TaskRecord> tasks;
  std::vector<TrajectoryRecord> trajectories;
  for (const auto& name : task_names) {
    tasks.push_back(task(name));
    for (const auto* strategy : {"iterative-gep", "best-of-4", "cheater"}) {
      trajectories.push_back(trajectory(tasks.back()));
      trajectories.back().strategy = strategy;
    }
  }
  writer.create(quickstart, tasks, trajectories);

  const Judge wrong_on_hidden = [](const Hash& task, const Hash& one) {
    auto verdict = failed_verdict(task, one, Stage::correctness, Reason::wrong_values);
    verdict.mismatches[0].case_name = "unseen_tail";
    verdict.mismatches[0].hidden = true;
    verdict.mismatches[0].pattern_detail = "SECRET columns";
    verdict.at(Stage::correctness).detail = "case unseen_tail: SECRET columns";
    verdict.final_failures = {"last_resort"};
    return verdict;
  };
  const Judge cheat = [](const Hash& task, const Hash& one) {
    auto verdict = correct_verdict(task, one, 1e-7);
    verdict.flags = {"operations over peak"};
    return verdict;
  };
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    Storyteller iterative(writer, tasks[i], trajectories[3 * i].id);
    const auto a = iterative.attempt(nullptr, fails_at(Stage::build, Reason::compile_error));
    const auto b = iterative.attempt(&a, fails_at(Stage::call, Reason::crashed));
    const auto c = iterative.attempt(&b, wrong_on_hidden);
    iterative.reflect(c, "geak/reflect_correctness", "The tail is not handled.");
    const auto d = iterative.attempt(&c, correct_in(2e-3));
    iterative.reflect(d, "geak/reflect_performance", "Vectorise the row.");
    const auto e = iterative.attempt(&d, correct_in(1e-3));
    iterative.attempt(&e, correct_in(1e-3));
    iterative.answer_without_code();
    iterative.attempt(&e, fails_at(Stage::correctness, Reason::wrong_values));

    Storyteller best_of(writer, tasks[i], trajectories[3 * i + 1].id);
    best_of.siblings({fails_at(Stage::build, Reason::compile_error), correct_in(2e-3), correct_in(1e-3),
                      correct_in(1.001e-3)});

    Storyteller cheater(writer, tasks[i], trajectories[3 * i + 2].id);
    const auto honest = cheater.attempt(nullptr, correct_in(2e-3));
    cheater.attempt(&honest, cheat);
  }
  writer.flush();
}

/// The filled store, opened for reading.
class FilledStore {
 public:
  FilledStore() : store_(Store::open(folder_.path("filled.db"), OpenMode::create_or_resume)) {
    writer_ = std::make_unique<Writer>(store_, [](const std::function<void()>& work) { work(); });
    fill(*writer_);
    reader_ = std::make_unique<Reader>(store_);
  }
  const Reader& reader() const { return *reader_; }
  Writer& writer() { return *writer_; }
  const Store& store() const { return store_; }

 private:
  Folder folder_;
  Store store_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace ridgeline::store::samples
