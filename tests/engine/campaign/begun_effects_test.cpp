// Requests that a strategy begins one by one, awaits as they end, and gives up: over a store, with answers
// that come in any order, and with kills in between.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include <SQLiteCpp/SQLiteCpp.h>

#include "tests/engine/campaign/campaign_runs.hpp"

namespace ridgeline::campaign {
namespace {

class BegunEffects : public CampaignRuns {
 protected:
  BegunEffects() {
    config_.strategies = {
        {"agent", "kernel_agent", {{"seeds", std::int64_t{3}}, {"rounds", std::int64_t{6}}}}};
    config_.seeds = {0, 1, 2, 3};
    first_correct_ = 'd';  // three kernels of sixteen
    replan();
    random_ = &generator_;
  }

  void replan() { plan_ = make_plan(config_, {{a_task()}, {}}); }
  void start_anew() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  /// "ended 2.0", "cancelled 1.0 (reason)", by trajectory.
  static std::map<store::Id, std::vector<std::string>> orders_in(const Run& seen) {
    std::map<store::Id, std::vector<std::string>> orders;
    for (const auto& event : seen.events)
      orders[event.trajectory].push_back(std::string(to_string(event.event)) + " " +
                                         std::to_string(event.step) + " " + event.reason);
    return orders;
  }
  /// Addresses of which an answer is on record, with its trajectory.
  static std::set<std::pair<store::Id, int>> recorded_in(const Run& seen) {
    std::set<std::pair<store::Id, int>> recorded;
    for (const auto& entry : seen.journal)
      if (const auto* ask = std::get_if<store::AskEntry>(&entry))
        recorded.emplace(ask->record.trajectory, ask->record.step);
    return recorded;
  }
  /// Addresses that a run asked for: "t/agent/SEED/STEP/SLOT".
  static std::set<std::pair<store::Id, int>> asked_in(const Run& seen) {
    std::set<std::pair<store::Id, int>> asked;
    for (const auto& request : seen.requests) {
      const auto seed = request.address.substr(8);
      const auto step = seed.substr(seed.find('/') + 1);
      for (const auto& one : seen.trajectories)
        if (one.seed == std::stoull(seed)) asked.emplace(one.id, std::stoi(step));
    }
    return asked;
  }
  static int with_status(const Run& seen, AnswerStatus status) {
    return static_cast<int>(std::ranges::count_if(seen.journal, [&](const auto& entry) {
      const auto* ask = std::get_if<store::AskEntry>(&entry);
      return ask && ask->record.status == status;
    }));
  }

  std::mt19937 generator_{1};
};

TEST_F(BegunEffects, TheFirstCorrectKernelEndsTheRestWhichIsRecordedAsCancelled) {
  // Whether a call is still under way when another's kernel is correct depends on how the writer's thread
  // groups its commits: one run may break off none.
  int broken_off = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    start_anew();
    generator_.seed(seed);
    const auto seen = run();
    EXPECT_EQ(seen.error, "");
    for (const auto& one : seen.trajectories) EXPECT_EQ(one.state, store::TrajectoryState::finished);
    broken_off += seen.cancelled;
    EXPECT_GE(with_status(seen, AnswerStatus::cancelled), seen.cancelled);
    for (const auto& entry : seen.journal) {
      const auto* ask = std::get_if<store::AskEntry>(&entry);
      if (!ask || ask->record.status != AnswerStatus::cancelled) continue;
      EXPECT_EQ(ask->record.detail, "the kernel of another seed is correct");
      if (ask->record.llm_status == "cancelled") {
        EXPECT_EQ(ask->record.unsettled.usd, 0.01) << "what may have been paid counts";
      }
    }
    EXPECT_EQ(seen.totals.calls, seen.calls) << "what was sent is a call, also where it was broken off";
    EXPECT_NEAR(seen.totals.usd + seen.totals.unsettled.usd, 0.01 * seen.calls, 1e-9);
    const auto again = run();
    EXPECT_EQ(again.calls, 0);
    EXPECT_EQ(walk(again.journal), walk(seen.journal));
  }
  EXPECT_GT(broken_off, 0);
}

TEST_F(BegunEffects, AResumeAfterAnyKillWalksTheSameWayAndAsksNothingTwice) {
  int kills = 0, cancelled = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    start_anew();
    generator_.seed(seed);
    std::map<store::Id, std::vector<std::string>> before;
    std::set<std::pair<store::Id, int>> recorded;
    Run seen;
    do {
      steps_ = static_cast<int>(generator_() % 40);
      seen = run();
      EXPECT_EQ(seen.error, "");
      for (const auto& asked : asked_in(seen)) EXPECT_FALSE(recorded.contains(asked)) << asked.second;
      for (const auto& [trajectory, order] : orders_in(seen)) {
        auto& known = before[trajectory];
        ASSERT_LE(known.size(), order.size());
        EXPECT_TRUE(std::equal(known.begin(), known.end(), order.begin())) << "the order is another one";
        known = order;
      }
      recorded = recorded_in(seen);
      kills += seen.ended ? 0 : 1;
    } while (!seen.ended);
    steps_ = -1;
    cancelled += with_status(seen, AnswerStatus::cancelled);
    const auto again = run();
    EXPECT_EQ(again.calls, 0) << "everything is on record";
    EXPECT_EQ(orders_in(again), orders_in(seen));
    for (const auto& one : again.trajectories) EXPECT_EQ(one.state, store::TrajectoryState::finished);
  }
  EXPECT_GT(kills, 10);
  EXPECT_GT(cancelled, 10);
}

TEST_F(BegunEffects, UnderACapCallsThatAreBrokenOffAreSettledAndTheCapHolds) {
  config_.models[0].prices.input = config_.models[0].prices.output = 1;
  config_.models[0].max_output_tokens = 10'000;
  config_.total.usd = 0.25;
  int runs = 0;
  Run seen;
  for (; runs < 20; ++runs) {
    steps_ = runs % 2 == 0 ? 60 : -1;
    seen = run();
    EXPECT_LE(seen.totals.usd + seen.totals.unsettled.usd, config_.total.usd.value() + 1e-9);
    if (seen.paused) *config_.total.usd += 0.25;
    if (steps_ < 0 && !seen.paused) break;
  }
  EXPECT_LT(runs, 20) << "it never ended";
  for (const auto& one : seen.trajectories) EXPECT_EQ(one.state, store::TrajectoryState::finished);
  const auto store = store::Store::open(config_.store, store::OpenMode::read_only);
  const auto database = store.connect_to_read();
  EXPECT_EQ(database->execAndGet("SELECT count(*) FROM started_calls").getInt(), 0);
}

TEST_F(BegunEffects, AnOutageIsNoResultAndTheWalkGoesOnAfterwards) {
  first_correct_ = 'g';  // none is correct: there is always more to ask
  steps_ = 60;
  const auto begun = run();
  ASSERT_FALSE(begun.ended);
  EXPECT_GT(begun.events.size(), 0u);
  steps_ = -1;
  fault_ = llm::Fault::endpoint;
  const auto out = run(-1, llm::LlmStatus::overloaded);
  ASSERT_TRUE(out.paused);
  EXPECT_EQ(with_status(out, AnswerStatus::model_failed), 0);
  fault_ = llm::Fault::none;
  const auto rest = run();
  EXPECT_FALSE(rest.paused);
  auto orders = orders_in(rest);
  for (const auto& [trajectory, order] : orders_in(begun))
    EXPECT_TRUE(std::equal(order.begin(), order.end(), orders[trajectory].begin()));
  for (const auto& one : rest.trajectories) EXPECT_EQ(one.state, store::TrajectoryState::finished);
}

TEST_F(BegunEffects, AFailedEvaluationThatTheStrategyCancelsIsTakenBackOnce) {
  reason_ = Reason::unsupported;  // pauses the campaign at once, while other verdicts still come
  int paused = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    start_anew();
    generator_.seed(seed);
    failing_ = [seed](const Candidate& candidate) {
      return candidate.hash[1] % 8 == static_cast<int>(seed % 8);
    };
    const auto seen = run();
    if (!seen.paused) continue;
    ++paused;
    EXPECT_EQ(seen.spent.evaluations, seen.totals.evaluations);
  }
  EXPECT_GT(paused, 10);
}

TEST_F(BegunEffects, ABudgetOfEachTrajectoryRefusesASeedAndIsReplayed) {
  config_.per_trajectory.calls = 5;
  first_correct_ = 'g';  // none is correct
  const auto seen = run();
  EXPECT_EQ(seen.error, "");
  EXPECT_EQ(seen.calls, 4 * 5);
  EXPECT_EQ(with_status(seen, AnswerStatus::budget_exhausted), 4 * 3) << "each seed is refused once";
  EXPECT_EQ(run().calls, 0);
}

TEST_F(BegunEffects, ABranchKeepsWhatWasSeenBeforeTheFirstRequestThatChanged) {
  const auto whole = run();
  config_.strategies[0].settings["rounds"] = std::int64_t{2};
  replan();
  fork_ = true;
  const auto branch = run();
  EXPECT_EQ(branch.error, "");
  EXPECT_EQ(branch.campaign.name, "trial.2");
  const auto orders = orders_in(branch);
  for (const auto& one : branch.trajectories) {
    EXPECT_EQ(one.state, store::TrajectoryState::finished);
    const auto before = orders_in(whole)[one.origin];
    const auto now = orders.contains(one.id) ? orders.at(one.id) : std::vector<std::string>();
    const auto shared = std::min(before.size(), now.size());
    const auto equal = std::mismatch(before.begin(), before.begin() + static_cast<long>(shared), now.begin());
    EXPECT_GT(equal.first - before.begin(), 0) << "it began alike";
  }
  fork_ = false;
  const auto again = run();
  EXPECT_EQ(again.calls, 0);
  EXPECT_EQ(orders_in(again), orders);
}

TEST_F(BegunEffects, AStoreWithoutEffectEventsGoesOnWithItsJoinedBatches) {
  config_.strategies = {
      {"best", "best_of_n", {{"n", std::int64_t{4}}}},
      {"chain", "iterative", {{"rounds", std::int64_t{5}}, {"feedback", std::string("g_e")}}}};
  replan();
  random_ = nullptr;
  const auto undisturbed = run();
  start_anew();
  steps_ = 25;
  const auto begun = run();
  ASSERT_FALSE(begun.ended);
  SQLite::Database(config_.store, SQLite::OPEN_READWRITE).exec("DELETE FROM effect_events");
  steps_ = -1;
  const auto rest = run();
  EXPECT_EQ(rest.error, "");
  EXPECT_GT(answers_in(begun.journal), 0);
  EXPECT_EQ(answers_in(begun.journal) + rest.calls, undisturbed.calls);
  EXPECT_EQ(walk(rest.journal), walk(undisturbed.journal));
  EXPECT_TRUE(rest.events.empty()) << "joined batches need none";
}

TEST_F(BegunEffects, RefusesAWalkThatDiffersFromTheRecordedOne) {
  run();
  {
    const auto store = store::Store::open(config_.store, store::OpenMode::create_or_resume);
    store::Writer writer(store, [](const std::function<void()>& work) { work(); });
    writer.transact([](SQLite::Database& database) {
      database.exec("UPDATE trajectories SET state = 'running'");
      database.exec("UPDATE effect_events SET step = 99 WHERE ordinal = 0");
    });
  }
  const auto seen = run();
  EXPECT_NE(seen.error.find("its recorded walk goes on with 'ended 99.0'"), std::string::npos) << seen.error;
  EXPECT_NE(seen.error.find("--fork"), std::string::npos);
  EXPECT_EQ(seen.calls, 0);
}

}  // namespace
}  // namespace ridgeline::campaign
