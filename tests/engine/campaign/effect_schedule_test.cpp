#include "engine/campaign/effect_schedule.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>

#include "engine/campaign/recorded_steps.hpp"
#include "engine/core/routine.hpp"

namespace ridgeline::campaign {
namespace {

using Address = Effects::Address;
using store::EffectEvent;
using store::EffectEventKind;

std::string text_of(Address address) {
  return std::to_string(address.step) + "." + std::to_string(address.slot);
}

/// "start 0.0, choose ended 1.0, resume 1.0": actions as a line.
std::string log_of(const std::vector<EffectSchedule::Action>& actions) {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
  const auto event_text = [](const EffectEvent& event) {
    return std::string(to_string(event.event)) + " " + text_of({event.step, event.slot});
  };
  for (const auto& action : actions) {
    if (const auto* start = std::get_if<EffectSchedule::Start>(&action))
      add("start " + text_of(start->address));
    if (const auto* abandon = std::get_if<EffectSchedule::Abandon>(&action))
      add("abandon " + text_of(abandon->address));
    if (const auto* append = std::get_if<EffectSchedule::Append>(&action))
      add("append " + event_text(append->event));
    if (const auto* choose = std::get_if<EffectSchedule::Choose>(&action))
      add("choose " + event_text(choose->event));
    if (const auto* resume = std::get_if<EffectSchedule::Resume>(&action))
      for (const auto address : resume->ends) add("resume " + text_of(address));
  }
  return text;
}

EffectEvent event(int ordinal, EffectEventKind kind, int step) {
  EffectEvent one;
  one.ordinal = ordinal;
  one.event = kind;
  one.step = step;
  return one;
}

class Schedule : public testing::Test {
 protected:
  void make(std::vector<EffectEvent> recorded) { schedule.emplace(std::move(recorded), "t/s/0"); }
  void begin(int steps) {
    for (int step = 0; step < steps; ++step) schedule->begin({step, 0});
  }
  std::string actions() { return log_of(schedule->take_actions()); }

  std::optional<EffectSchedule> schedule = EffectSchedule({}, "t/s/0");
};

TEST_F(Schedule, StartsBegunRequestsWhenTheStrategyWaits) {
  begin(2);
  EXPECT_EQ(actions(), "");
  schedule->wait({{0, 0}}, Effects::Until::first);
  EXPECT_EQ(actions(), "start 0.0, start 1.0") << "also what is not waited for";
}

TEST_F(Schedule, ChoosesTheFirstEndAndResumesOnceItIsCommitted) {
  begin(3);
  schedule->wait({{0, 0}, {1, 0}, {2, 0}}, Effects::Until::first);
  actions();
  schedule->on_end({1, 0}, 5);
  EXPECT_EQ(actions(), "choose ended 1.0");
  schedule->on_end({0, 0}, 4);
  EXPECT_EQ(actions(), "") << "the choice is made";
  schedule->on_choice_committed();
  EXPECT_EQ(actions(), "resume 1.0");
  schedule->wait({{0, 0}, {2, 0}}, Effects::Until::first);
  EXPECT_EQ(actions(), "choose ended 0.0");
}

TEST_F(Schedule, HandsOverTheEarliestOfTheEndsBeforeTheWait) {
  begin(2);
  schedule->on_end({1, 0}, 5);
  schedule->on_end({0, 0}, 7);
  schedule->wait({{0, 0}, {1, 0}}, Effects::Until::first);
  EXPECT_EQ(actions(), "choose ended 1.0");
}

TEST_F(Schedule, JoinedRequestsNeedNoChoice) {
  begin(2);
  schedule->wait({{0, 0}, {1, 0}}, Effects::Until::all);
  actions();
  schedule->on_end({1, 0}, 1);
  EXPECT_EQ(actions(), "");
  schedule->on_end({0, 0}, 2);
  EXPECT_EQ(actions(), "resume 0.0, resume 1.0");
}

TEST_F(Schedule, NeverStartsARequestThatIsCancelledBeforeTheWait) {
  begin(2);
  schedule->cancel({1, 0}, "enough");
  EXPECT_EQ(actions(), "append cancelled 1.0, abandon 1.0");
  schedule->wait({{0, 0}}, Effects::Until::first);
  EXPECT_EQ(actions(), "start 0.0");
}

TEST_F(Schedule, CancelsAnEndedRequestWithoutStoppingIt) {
  begin(2);
  schedule->wait({{0, 0}}, Effects::Until::first);
  schedule->on_end({1, 0}, 1);
  schedule->on_end({0, 0}, 2);
  actions();
  schedule->cancel({1, 0}, "enough");
  EXPECT_EQ(actions(), "append cancelled 1.0");
}

TEST_F(Schedule, AReplayFollowsTheRecordedOrderAndStartsNothing) {
  make({event(0, EffectEventKind::ended, 2), event(1, EffectEventKind::cancelled, 0)});
  begin(3);
  schedule->on_end({1, 0}, 1);
  schedule->on_end({2, 0}, 9);
  schedule->wait({{0, 0}, {1, 0}, {2, 0}}, Effects::Until::first);
  EXPECT_EQ(actions(), "resume 2.0") << "though 1.0 had its result earlier";
  schedule->cancel({0, 0}, "enough");
  EXPECT_EQ(actions(), "abandon 0.0") << "its event is journaled already";
  schedule->wait({{1, 0}}, Effects::Until::first);
  EXPECT_EQ(actions(), "resume 1.0");
  EXPECT_EQ(schedule->followed_within(3), 2);
  EXPECT_EQ(schedule->followed_within(2), 0) << "three steps were begun by then";
}

TEST_F(Schedule, RefusesAWalkThatDiffersFromTheJournal) {
  make({event(0, EffectEventKind::ended, 2)});
  begin(2);
  schedule->on_end({0, 0}, 1);
  try {
    schedule->wait({{0, 0}, {1, 0}}, Effects::Until::first);
    FAIL() << "it went on";
  } catch (const JournalDiverged& error) {
    EXPECT_EQ(error.step(), 2);
    EXPECT_NE(std::string(error.what()).find("t/s/0: its recorded walk goes on with 'ended 2.0'"),
              std::string::npos)
        << error.what();
  }
  make({event(0, EffectEventKind::ended, 0)});
  begin(2);
  EXPECT_THROW(schedule->cancel({1, 0}, ""), JournalDiverged);
}

// The rest simulates a world without sockets: results and commits come when a random number says so, and the
// process is killed between any two of them.

/// Holds what was committed, which outlives a kill.
struct Disk {
  std::map<Address, std::string> results;
  std::set<Address> cancelled;  ///< recorded as such
  std::vector<EffectEvent> events;
};

/// One process: an Effects over the schedule.
class World final : public Effects {
 public:
  World(Disk& disk, std::mt19937& random, int& answers)
      : disk_(disk), random_(random), answers_(answers), schedule_(disk.events, "t/s/0") {}
  ~World() override = default;

  void close() { destroying_ = true; }  ///< from now on what is dropped is not given up
  bool idle() const { return asked_.empty() && writes_.empty(); }

  /// Lets one thing happen: an answer comes, or the oldest write is committed.
  void happen() {
    if (!writes_.empty() && (asked_.empty() || random_() % 2 == 0)) {
      const auto write = std::move(writes_.front());
      writes_.pop_front();
      return write();
    }
    auto one = asked_.begin();
    std::advance(one, static_cast<long>(random_() % asked_.size()));
    const auto address = *one;
    asked_.erase(one);
    // Asked twice, a model answers otherwise.
    writes_.emplace_back([this, address, text = "answer " + std::to_string(answers_++)] {
      disk_.results[address] = text;
      if (dropped_.contains(address)) return;
      schedule_.on_end(address, answers_);
      perform_actions();
    });
  }

 private:
  void begin(Request request) override {
    schedule_.begin(request.address);
    if (disk_.results.contains(request.address)) schedule_.on_end(request.address, 0);
  }
  void wait(std::vector<Address> among, Until until, Done done) override {
    done_ = std::move(done);
    schedule_.wait(std::move(among), until);
    perform_actions();
  }
  void cancel(const std::vector<Address>& them, const std::string& reason) noexcept override {
    if (destroying_) return;
    for (const auto address : them) schedule_.cancel(address, reason);
    perform_actions();
  }

  void perform_actions() {
    for (const auto& action : schedule_.take_actions()) {
      if (const auto* start = std::get_if<EffectSchedule::Start>(&action)) {
        EXPECT_FALSE(disk_.results.contains(start->address)) << "paid twice: " << text_of(start->address);
        EXPECT_FALSE(disk_.cancelled.contains(start->address)) << "given up: " << text_of(start->address);
        EXPECT_TRUE(started_.insert(start->address).second) << "asked twice: " << text_of(start->address);
        asked_.insert(start->address);
      }
      if (const auto* abandon = std::get_if<EffectSchedule::Abandon>(&action)) {
        asked_.erase(abandon->address);
        dropped_.insert(abandon->address);
        writes_.emplace_back([this, address = abandon->address] { disk_.cancelled.insert(address); });
      }
      if (const auto* append = std::get_if<EffectSchedule::Append>(&action))
        writes_.emplace_back([this, event = append->event] { disk_.events.push_back(event); });
      if (const auto* choose = std::get_if<EffectSchedule::Choose>(&action))
        writes_.emplace_back([this, event = choose->event] {
          disk_.events.push_back(event);
          schedule_.on_choice_committed();
          perform_actions();
        });
      if (const auto* resume = std::get_if<EffectSchedule::Resume>(&action)) {
        std::vector<End> ends;
        for (const auto address : resume->ends) {
          Attempt attempt;
          attempt.answer.text = disk_.results.at(address);
          ends.push_back({address, std::move(attempt)});
        }
        const auto done = std::exchange(done_, nullptr);
        return done(std::move(ends));
      }
    }
  }

  Disk& disk_;
  std::mt19937& random_;
  int& answers_;
  EffectSchedule schedule_;
  Done done_;
  std::set<Address> asked_, started_, dropped_;
  std::deque<std::function<void()>> writes_;
  bool destroying_ = false;
};

/// A strategy that begins, waits and gives up as what it has seen tells it. Some throw in the end.
Routine<> wander(Effects& effects, unsigned seed, std::vector<std::string>& seen) {
  EffectGroup group(effects);
  std::vector<Address> open;
  std::size_t state = seed;
  const auto learn = [&](const std::string& what) {
    seen.push_back(what);
    state = std::hash<std::string>{}(what + std::to_string(state));
  };
  const auto pick = [&](std::size_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
    return (state >> 33) % count;
  };
  for (int turn = 0; turn < 40; ++turn) {
    const auto choice = open.empty() ? 0 : pick(6);
    if (choice < 2 && open.size() < 6) {
      open.push_back(group.begin_attempt(turn, Ask{}));
    } else if (choice == 3 && open.size() > 1) {
      const auto which = pick(open.size());
      learn("gave up " + text_of(open[which]));
      group.cancel(open[which], "wandering");
      open.erase(open.begin() + static_cast<long>(which));
    } else if (choice == 4) {
      const auto which = open[pick(open.size())];
      const auto end = co_await group.end_of(which);
      std::erase(open, which);
      learn(text_of(end.address) + " " + end.attempt.answer.text);
    } else if (choice == 5) {
      std::vector<Ask> asks(1 + pick(3));
      const auto attempts = co_await effects.attempt_all(turn, std::move(asks));
      for (const auto& attempt : attempts) learn("joined " + attempt.answer.text);
    } else {
      const auto end = co_await group.first_end();
      std::erase(open, end.address);
      learn(text_of(end.address) + " " + end.attempt.answer.text);
    }
  }
  if (seed % 5 == 0) throw std::runtime_error("this one throws");
}

bool begins_with(const std::vector<std::string>& whole, const std::vector<std::string>& part) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

TEST(ScheduleUnderKills, EveryResumeWalksTheSameWayAndAsksNothingTwice) {
  int kills = 0, cancelled = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Disk disk;
    int answers = 0;
    std::vector<std::string> before;
    for (bool ended = false; !ended;) {
      World world(disk, random, answers);
      std::vector<std::string> seen;
      auto routine = wander(world, seed, seen);
      routine.start([&](std::exception_ptr) { ended = true; });
      EXPECT_TRUE(begins_with(seen, before)) << "the resumed walk is another one";
      int left = random() % 3 == 0 ? 1000 : static_cast<int>(random() % 25);
      while (!world.idle() && left-- > 0) world.happen();
      ended = ended && world.idle();  // a kill may come before the last write
      EXPECT_TRUE(ended || left < 0) << "it waits for something that never comes";
      if (!ended) ++kills;
      before = seen;
      world.close();
    }
    cancelled += static_cast<int>(disk.cancelled.size());

    World replay(disk, random, answers);
    std::vector<std::string> again;
    bool ended = false;
    auto routine = wander(replay, seed, again);
    routine.start([&](std::exception_ptr) { ended = true; });
    replay.close();
    EXPECT_TRUE(ended) << "the whole walk is on record";
    EXPECT_EQ(again, before);
  }
  EXPECT_GT(kills, 400);
  EXPECT_GT(cancelled, 100);
}

}  // namespace
}  // namespace ridgeline::campaign
