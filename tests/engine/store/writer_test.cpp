#include "engine/store/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <SQLiteCpp/SQLiteCpp.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "engine/core/error.hpp"
#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::store {
namespace {

class WriterTest : public samples::CampaignFixture {};

std::string message_of(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
  return "";
}

TEST_F(WriterTest, WhatIsAcknowledgedIsThereForEveryReader) {
  const auto one = samples::candidate(1);
  std::atomic<int> seen = -1;
  writer().record(samples::ask(id, 0, 0, &one), one,
                  [&](std::exception_ptr) { seen = static_cast<int>(Reader(store).attempts(id).size()); });
  writer().flush();
  EXPECT_EQ(seen, 1);
}

TEST_F(WriterTest, RecordThatBreaksARuleFailsAlone) {
  const auto one = samples::candidate(1);
  std::vector<std::string> errors(5);
  const auto keep = [&](std::size_t i) {
    return [&errors, i](std::exception_ptr e) { errors[i] = message_of(e); };
  };
  std::mutex gate;
  gate.lock();  // holds the thread in a first job, so that the five share a transaction
  std::thread blocked(
      [&] { writer().transact([&](SQLite::Database&) { const std::lock_guard wait(gate); }); });
  writer().record(samples::ask(id, 0, 0, &one), one, keep(0));
  writer().record(samples::ask(id, 0, 0, &one), one, keep(1));               // the address is taken
  writer().record(samples::evaluation(id, 0, 0, {}), keep(2));               // no such candidate
  writer().record(samples::ask(999, 0, 0, nullptr), std::nullopt, keep(3));  // no such trajectory
  writer().record(samples::ask(id, 1, 0, nullptr), std::nullopt, keep(4));
  gate.unlock();
  blocked.join();
  writer().flush();
  EXPECT_EQ(errors[0], "");
  EXPECT_THAT(errors[1], testing::HasSubstr("UNIQUE"));
  EXPECT_THAT(errors[2], testing::HasSubstr("FOREIGN KEY"));
  EXPECT_THAT(errors[3], testing::HasSubstr("FOREIGN KEY"));
  EXPECT_EQ(errors[4], "");
  EXPECT_EQ(reader().attempts(id).size(), 2u);
}

TEST_F(WriterTest, FullQueueHoldsTheCallerBack) {
  samples::Folder other;
  const auto small = Store::open(other.path("small.db"), OpenMode::create_or_resume);
  std::mutex gate;
  gate.lock();
  std::atomic<int> accepted = 0;
  Writer narrow(small, [](const std::function<void()>& work) { work(); }, 2);
  std::atomic<bool> inside = false;
  std::thread first([&] {
    narrow.transact([&](SQLite::Database&) {
      inside = true;
      inside.notify_all();
      const std::lock_guard wait(gate);
    });
  });
  inside.wait(false);
  std::thread producer([&] {
    for (int i = 0; i < 5; ++i) {
      narrow.record(DeviceRecord{.name = "d" + std::to_string(i), .ceilings = {}, .seen_at = i}, {});
      accepted = i + 1;
      accepted.notify_all();
    }
  });
  for (int now = accepted; now < 2; now = accepted) accepted.wait(now);
  EXPECT_EQ(accepted, 2) << "the third must wait while the thread is held";
  gate.unlock();
  first.join();
  producer.join();
  narrow.flush();
  EXPECT_EQ(Reader(small).devices().size(), 5u);
}

TEST_F(WriterTest, DonesRunWhereTheOwnerPutsThem) {
  samples::Folder other;
  const auto mine = Store::open(other.path("mine.db"), OpenMode::create_or_resume);
  std::mutex mutex;
  std::vector<std::function<void()>> posted;
  int done = 0;
  {
    Writer writing(mine, [&](std::function<void()> work) {
      const std::lock_guard lock(mutex);
      posted.push_back(std::move(work));
    });
    writing.record(DeviceRecord{.name = "cpu", .ceilings = {}, .seen_at = 1},
                   [&](std::exception_ptr) { ++done; });
  }  // its end commits and posts what was queued
  EXPECT_EQ(done, 0);
  for (const auto& work : posted) work();
  EXPECT_EQ(done, 1);
  EXPECT_EQ(Reader(mine).devices().size(), 1u);
}

TEST_F(WriterTest, ThrowingTransactionLeavesNothingBehind) {
  EXPECT_THROW(writer().transact([](SQLite::Database& database) {
    database.exec("DELETE FROM trajectories");
    throw BadInput("no");
  }),
               BadInput);
  EXPECT_EQ(reader().trajectories(campaign.id).size(), 1u);
}

TEST_F(WriterTest, CampaignTaskAndTrajectoryComeBack) {
  const auto back = reader().campaign("quickstart");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->plan_hash, campaign.plan_hash);
  EXPECT_EQ(back->config_text, campaign.config_text);
  auto again = samples::campaign();
  std::vector<TrajectoryRecord> none;
  EXPECT_THROW(writer().create(again, {}, none), Error) << "a name is given once";

  std::vector more{samples::trajectory(task, 0xffff'ffff'ffff'fff0)};
  writer().add(campaign.id, {task}, more);
  writer().set_state(id, TrajectoryState::failed, "worker lost", 42, {});
  writer().set_state(more[0].id, TrajectoryState::running, "", 43, {});
  writer().flush();
  const auto trajectories = reader().trajectories(campaign.id);
  ASSERT_EQ(trajectories.size(), 2u);
  EXPECT_EQ(trajectories[0].state, TrajectoryState::failed);
  EXPECT_EQ(trajectories[0].detail, "worker lost");
  EXPECT_EQ(trajectories[0].finished_at, 42);
  EXPECT_EQ(trajectories[0].category, "Math");
  EXPECT_EQ(trajectories[1].seed, 0xffff'ffff'ffff'fff0);
  EXPECT_EQ(trajectories[1].finished_at, 0) << "it still runs";
  EXPECT_EQ(reader().task(task.hash)->document, task.document);
}

TEST_F(WriterTest, ACompiledBaselineStandsBesideTheEagerOne) {
  BaselineRecord baseline{.task_hash = task.hash,
                          .device = "cpu",
                          .case_name = "small",
                          .description = "eager",
                          .cold = {2e-3, 2e-3, 2e-3, {}, true},
                          .measured_at = 1};
  writer().record(baseline, {});
  baseline.kind = BaselineKind::compile;
  baseline.cold.median = 1e-3;
  baseline.mode = "max-autotune";
  baseline.eager = 9e-3;
  writer().record(baseline, {});
  baseline.eager = 2.1e-3;  // measured anew
  writer().record(baseline, {});
  writer().flush();
  const auto kept = reader().baselines(task.hash, "cpu");
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].kind, BaselineKind::compile);
  EXPECT_EQ(kept[0].mode, "max-autotune");
  EXPECT_EQ(kept[0].eager, 2.1e-3);
  EXPECT_EQ(kept[1].mode, "");
  EXPECT_EQ(kept[1].kind, BaselineKind::eager);
  EXPECT_EQ(kept[1].cold.median, 2e-3);
}

TEST_F(WriterTest, PlacesAreThoseWhereARightCandidateWasTimed) {
  EXPECT_TRUE(reader().timed_places(campaign.id).empty());
  const auto wrong = samples::candidate(1), right = samples::candidate(2);
  writer().record(samples::ask(id, 0, 0, &wrong), wrong, {});
  writer().record(
      samples::evaluation(
          id, 0, 0, samples::failed_verdict(task.hash, wrong.hash, Stage::correctness, Reason::wrong_values)),
      {});
  writer().flush();
  EXPECT_TRUE(reader().timed_places(campaign.id).empty());
  writer().record(samples::ask(id, 1, 0, &right), right, {});
  writer().record(samples::evaluation(id, 1, 0, samples::correct_verdict(task.hash, right.hash)), {});
  writer().flush();
  EXPECT_THAT(reader().timed_places(campaign.id),
              testing::ElementsAre(std::pair(task.hash, std::string("cpu"))));
  EXPECT_TRUE(reader().timed_places(campaign.id + 1).empty());
}

TEST_F(WriterTest, WhatIsKnownOfASuiteIsKeptAndReplacedByFile) {
  const SuiteTaskRecord sound{"level1/1_a", "level1_1_a", "level1", "text",
                              task.hash,    Standing::ok, "",       {"n"}};
  SuiteTaskRecord broken{"level1/2_b", "level1_2_b", "level1", "other", "", Standing::broken, "raises", {}};
  writer().keep_suite(campaign.id, {sound, broken});
  broken.reason = "raises again";
  writer().keep_suite(campaign.id, {broken});
  const auto kept = reader().suite_tasks(campaign.id);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].task_hash, task.hash);
  EXPECT_EQ(kept[0].notes, std::vector<std::string>{"n"});
  EXPECT_EQ(kept[1].reason, "raises again");
  EXPECT_EQ(kept[1].task_hash, "");
  auto unknown = sound;
  unknown.task_hash = "no such task";
  EXPECT_ANY_THROW(writer().keep_suite(campaign.id, {unknown}));
}

TEST_F(WriterTest, BaselinesAndDevicesAreReplaced) {
  BaselineRecord baseline{.task_hash = task.hash,
                          .device = "cpu",
                          .case_name = "small",
                          .description = "eager",
                          .cold = {1e-3, 0.9e-3, 1.1e-3, {1e-3, 1.1e-3}, true},
                          .measured_at = 1};
  writer().record(baseline, {});
  baseline.cold.samples = {2e-3};
  baseline.measured_at = 2;
  writer().record(baseline, {});
  Ceilings ceilings{.device = "cpu",
                    .threads = 2,
                    .bandwidth = 2e10,
                    .cache_bandwidth = 1e11,
                    .cache_bytes = 3e7,
                    .peaks = {{"fp32", 1e11}}};
  writer().record(DeviceRecord{"cpu", {}, 7}, {});
  writer().record(DeviceRecord{"cpu", ceilings, 8}, {});
  writer().flush();
  const auto kept = reader().baselines(task.hash, "cpu");
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].cold.samples, std::vector<double>{2e-3});
  EXPECT_TRUE(kept[0].cold.converged);
  const auto devices = reader().devices();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].seen_at, 8);
  EXPECT_DOUBLE_EQ(devices[0].ceilings.peaks.at(0).operations_per_second, 1e11);
}

}  // namespace
}  // namespace ridgeline::store
