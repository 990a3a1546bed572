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
class Held final : public evaluation::Evaluator {
 public:
  void evaluate(evaluation::EvaluateRequest request, std::function<void(Verdict)> done) override {
    asked.emplace_back(std::move(request), std::move(done));
  }
  std::vector<std::pair<evaluation::EvaluateRequest, std::function<void(Verdict)>>> asked;
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
  /// Reads the baselines of torch.compile from the store.
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

TEST_F(CompiledBaselinesTest, AreMeasuredOncePerTaskAndDeviceAfterACorrectAnswer) {
  auto compiled = make();
  int done = 0;
  compiled.when_done([&] { ++done; });
  BaselineKeeper keeper(writer_);
  keeper.want_compiled(compiled);
  auto wrong = timed(tasks_[1], 2e-3, 1e-3);
  wrong.at(Stage::correctness) = {Status::failed, Reason::wrong_values, "", 0};
  wrong.timing->speedup = 0;
  for (const auto& verdict : {timed(tasks_[0], 2e-3, 1e-3), timed(tasks_[0], 2e-3, 0.5e-3), wrong})
    keeper.record_from(verdict, 1);
  EXPECT_EQ(compiled.waiting(), 1);
  EXPECT_TRUE(evaluator_.asked.empty()) << "trajectories come first";
  EXPECT_EQ(compiled.measuring(), 0);
  compiled.release();
  EXPECT_EQ(compiled.measuring(), 1);
  ASSERT_EQ(evaluator_.asked.size(), 1u);
  const auto request = evaluator_.asked[0].first;
  EXPECT_EQ(request.task->name, "a");
  EXPECT_EQ(request.settings.torch_compile, CompileMode::standard);
  EXPECT_EQ(request.candidate.source, tasks_[0].reference);
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
  EXPECT_EQ(log_, "torch.compile, mode default: tasks to be measured: 1");
  auto again = make();
  again.release();
  again.want(tasks_[0].hash, "card");
  EXPECT_EQ(again.waiting(), 0) << "the store has it";
  again.want(tasks_[0].hash, "another card");
  EXPECT_EQ(again.waiting(), 1);
}

TEST_F(CompiledBaselinesTest, AnotherModeIsMeasuredBesideTheFirst) {
  for (const auto mode : {CompileMode::standard, CompileMode::max_autotune}) {
    auto compiled = make(mode);
    compiled.release();
    compiled.want(tasks_[0].hash, "card");
    ASSERT_EQ(compiled.waiting(), 1);
    const bool first = mode == CompileMode::standard;
    evaluator_.asked.back().second(timed(tasks_[0], first ? 2e-3 : 4e-3, first ? 1e-3 : 0.5e-3));
  }
  const auto records = kept();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].mode, "default");
  EXPECT_EQ(records[0].eager / records[0].cold.median, 2);
  EXPECT_EQ(records[1].mode, "max-autotune");
  EXPECT_EQ(records[1].eager / records[1].cold.median, 8);
}

TEST_F(CompiledBaselinesTest, ATimeFromAnotherDeviceIsRecordedForThatDevice) {
  auto compiled = make();
  compiled.release();
  compiled.want(tasks_[0].hash, "another card");
  evaluator_.asked[0].second(timed(tasks_[0], 2e-3, 1e-3));
  EXPECT_EQ(kept().at(0).device, "card");
  EXPECT_THAT(log_, HasSubstr("torch.compile of a was measured on card and not on another card"));
}

TEST_F(CompiledBaselinesTest, AFailureOnAnotherDeviceReplacesNoTime) {
  auto compiled = make();
  compiled.release();
  compiled.want(tasks_[0].hash, "card");
  compiled.want(tasks_[0].hash, "another card");
  auto good = timed(tasks_[0], 2, 1), doubtful = good;
  good.timing->cases[0].case_name = tasks_[0].cases[0].name;
  doubtful.flags = {"operations over peak"};
  evaluator_.asked[0].second(good);
  evaluator_.asked[1].second(doubtful);  // of "card" too
  const auto records = kept();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].cold.median, 1);
}

TEST_F(CompiledBaselinesTest, AFlaggedFigureIsRecordedWithoutATime) {
  auto compiled = make();
  compiled.release();
  compiled.want(tasks_[0].hash, "card");
  auto doubtful = timed(tasks_[0], 2e-3, 1e-9);
  doubtful.flags = {"operations over peak"};
  evaluator_.asked[0].second(doubtful);
  EXPECT_EQ(kept().at(0).cold.median, 0);
  EXPECT_EQ(kept().at(0).description, "doubtful: operations over peak");
}

TEST_F(CompiledBaselinesTest, AMissingTimeIsLoggedWithItsReasonAndMeasuredAgainOnResume) {
  auto compiled = make();
  compiled.release();
  for (const auto& task : tasks_) compiled.want(task.hash, "card");
  auto fails = timed(tasks_[0], 1, 1), lost = timed(tasks_[1], 1, 1);
  fails.at(Stage::build) = {.status = Status::failed, .reason = Reason::raised, .detail = "no g++ here"};
  fails.device = "";  // it came to none
  lost.at(Stage::build) = {};
  lost.at(Stage::call) = {
      .status = Status::unavailable, .reason = Reason::worker_lost, .detail = "the worker went away"};
  evaluator_.asked[0].second(fails);
  evaluator_.asked[1].second(lost);
  EXPECT_THAT(log_, HasSubstr("torch.compile of a has no time: build: no g++ here; it is measured again"));
  EXPECT_THAT(log_, HasSubstr("torch.compile of b has no time: the worker went away; it is measured again"));
  auto records = kept();
  ASSERT_EQ(records.size(), 1u) << "what a machine ended says nothing of the task";
  EXPECT_EQ(records[0].task_hash, tasks_[0].hash);
  EXPECT_EQ(records[0].device, "card");
  EXPECT_EQ(records[0].cold.median, 0);
  EXPECT_EQ(records[0].description, "build: no g++ here");
  auto again = make();
  again.release();
  for (const auto& task : tasks_) again.want(task.hash, "card");
  EXPECT_EQ(again.waiting(), 2);
  auto good = timed(tasks_[0], 2, 1);
  good.timing->cases[0].case_name = tasks_[0].cases[0].name;
  evaluator_.asked[2].second(good);
  records = kept();
  ASSERT_EQ(records.size(), 1u) << "a time takes the place of the reason";
  EXPECT_EQ(records[0].cold.median, 1);
}

TEST_F(CompiledBaselinesTest, AVerdictThatComesAfterTheEndIsIgnored) {
  {
    auto compiled = make();
    compiled.release();
    compiled.want(tasks_[0].hash, "card");
  }
  evaluator_.asked[0].second(timed(tasks_[0], 2, 1));
  EXPECT_TRUE(kept().empty());
}

}  // namespace
}  // namespace ridgeline::campaign
