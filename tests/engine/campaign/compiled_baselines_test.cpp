#include "engine/campaign/compiled_baselines.hpp"

#include <gmock/gmock.h>

#include "engine/campaign/baseline_keeper.hpp"
#include "engine/store/store.hpp"
#include "tests/engine/campaign/campaign_runs.hpp"

namespace ridgeline::campaign {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Keeps what it is asked for until the test answers.
class Held final : public Evaluator {
 public:
  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) override {
    asked.emplace_back(std::move(request), std::move(done));
  }
  std::vector<std::pair<EvaluateRequest, std::function<void(Verdict)>>> asked;
};

Task module_task(const std::string& name) {
  auto task = a_task();
  task.name = name;
  task.reference = "class Model: …";
  task.module.emplace();
  task.hash = hash_of(task);
  return task;
}

Verdict timed(const Task& task, double eager, double compiled) {
  Verdict verdict;
  verdict.task = task.hash;
  verdict.device = "card";
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing})
    verdict.at(stage).status = Status::passed;
  CaseTiming one;
  one.case_name = "published";
  one.baseline_cold.median = eager;
  one.cold.median = compiled;
  verdict.timing = Timing{};
  verdict.timing->baseline = "eager torch";
  verdict.timing->speedup = eager / compiled;
  verdict.timing->cases = {one};
  return verdict;
}

class CompiledBaselinesTest : public CampaignRuns {
 protected:
  CompiledBaselinesTest()
      : store_(store::Store::open(config_.store, store::OpenMode::create_or_resume)),
        writer_(store_, [](const std::function<void()>& work) { work(); }),
        reader_(store_) {}

  CompiledBaselines make(CompileMode mode = CompileMode::standard) {
    writer_.flush();
    return {mode,
            tasks_,
            reader_.baselines(),
            {evaluator_,
             writer_,
             {},
             [] { return store::Milliseconds{7}; },
             [this](const std::string& line) { log_ += line; }}};
  }
  /// Of torch.compile, as the store has them.
  std::vector<store::BaselineRecord> kept() {
    writer_.flush();
    auto all = reader_.baselines();
    std::erase_if(all, [](const auto& one) { return one.kind != store::BaselineKind::compile; });
    return all;
  }

  std::vector<Task> tasks_{module_task("a"), module_task("b")};
  store::Store store_;
  store::Writer writer_;
  store::Reader reader_;
  Held evaluator_;
  std::string log_;
};

TEST_F(CompiledBaselinesTest, AreMeasuredOnceATaskAndDeviceWhereARightAnswerWasTimed) {
  auto compiled = make();
  int done = 0;
  compiled.when_done([&] { ++done; });
  BaselineKeeper keeper(writer_);
  keeper.want_compiled(compiled);
  auto wrong = timed(tasks_[1], 2e-3, 1e-3);
  wrong.at(Stage::correctness) = {Status::failed, Reason::wrong_values, "", 0};
  wrong.timing->speedup = 0;
  for (const auto& verdict : {timed(tasks_[0], 2e-3, 1e-3), timed(tasks_[0], 2e-3, 0.5e-3), wrong})
    keeper.hear(verdict, 1);
  ASSERT_EQ(evaluator_.asked.size(), 1u);
  const auto& request = evaluator_.asked[0].first;
  EXPECT_EQ(request.task->name, "a");
  EXPECT_EQ(request.settings.torch_compile, CompileMode::standard);
  EXPECT_EQ(request.candidate.source, tasks_[0].reference);
  EXPECT_EQ(compiled.waiting(), 1);
  evaluator_.asked[0].second(timed(tasks_[0], 3e-3, 2e-3));
  EXPECT_EQ(compiled.waiting(), 0);
  EXPECT_EQ(done, 1);
  const auto records = kept();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].case_name, "published");
  EXPECT_EQ(records[0].mode, "default");
  EXPECT_EQ(records[0].cold.median, 2e-3);
  EXPECT_EQ(records[0].eager, 3e-3) << "of the same evaluation, not that of an answer's";
  EXPECT_THAT(records[0].description, HasSubstr("beside eager torch"));
  auto again = make();
  again.want(tasks_[0].hash, "card");
  EXPECT_EQ(again.waiting(), 0) << "the store has it";
  again.want(tasks_[0].hash, "another card");
  auto other = make(CompileMode::max_autotune);
  other.want(tasks_[0].hash, "card");
  EXPECT_EQ(evaluator_.asked.size(), 3u) << "another device, another mode";
}

TEST_F(CompiledBaselinesTest, WhatDoesNotCompileIsKeptWithItsReasonAndAMachinesTroubleIsNot) {
  auto compiled = make();
  for (const auto& task : tasks_) compiled.want(task.hash, "card");
  auto fails = timed(tasks_[0], 1, 1), lost = timed(tasks_[1], 1, 1);
  fails.at(Stage::call) = {Status::failed, Reason::raised, "InductorError: no such operator", 0};
  lost.at(Stage::build) = {Status::unavailable, Reason::worker_lost, "the worker went away", 0};
  evaluator_.asked[0].second(fails);
  evaluator_.asked[1].second(lost);
  EXPECT_THAT(log_, HasSubstr("torch.compile of a gave no time: InductorError: no such operator"));
  EXPECT_THAT(log_, HasSubstr("torch.compile of b gave no time: the worker went away; asked for again"));
  const auto records = kept();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].task_hash, tasks_[0].hash);
  EXPECT_EQ(records[0].cold.median, 0);
  EXPECT_EQ(records[0].description, "call: InductorError: no such operator");
  auto again = make();
  for (const auto& task : tasks_) again.want(task.hash, "card");
  EXPECT_EQ(again.waiting(), 1) << "the one whose worker was lost";
}

TEST_F(CompiledBaselinesTest, AVerdictThatComesLateIsHeardByNobody) {
  {
    auto compiled = make();
    compiled.want(tasks_[0].hash, "card");
  }
  evaluator_.asked[0].second(timed(tasks_[0], 2, 1));
  EXPECT_TRUE(kept().empty());
}

}  // namespace
}  // namespace ridgeline::campaign
