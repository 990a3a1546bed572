// Runs a campaign's trajectories against a store, side by side, until all ended or it is stopped.
//
// One thread, the io_context's. Order of use: construct, `start`, run the io_context; `stop` at any time.
// What is in the store when it stops is enough to go on: start the same campaign again.
//
// It pauses by itself where going on would spend what nobody granted (a cap) or where nothing can be learnt
// (an endpoint or the worker is out): nothing new is started, calls under way are waited for and recorded,
// since they are paid for, and then it ends with `paused()` set.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/enroll.hpp"
#include "engine/campaign/plan.hpp"
#include "engine/campaign/trajectory.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::campaign {

class Campaign final : private Coordinator {
 public:
  /// Called once: null when every trajectory ended or the campaign paused, else what made going on
  /// impossible.
  using Ended = std::function<void(std::exception_ptr)>;
  using Post = std::function<void(std::function<void()>)>;

  Campaign(Services& services, const Plan& plan, Enrolled enrolled, const store::Reader& reader, Post post);
  ~Campaign() override;

  void start(Ended ended);
  /// Lets calls to models come to their end, and ends then, as if paused; what is evaluated is dropped.
  void stop_soon(const std::string& reason);
  /// As if a trajectory had found that the campaign cannot go on.
  void pause_for(Pause why) { pause(std::move(why)); }
  /// Drops every trajectory under way, which stays `incomplete` for `reason`; `ended` is not called. Nothing
  /// that was acknowledged is lost.
  void stop(const std::string& reason);

  /// Why it ended before every trajectory had; null if it did not.
  const Pause* paused() const { return pause_ ? &*pause_ : nullptr; }
  /// Calls to models under way.
  int calls_under_way() const;

  int running() const { return static_cast<int>(running_.size()); }
  /// Every running trajectory waits for models and for nothing else; `verdicts_too`: or for verdicts.
  bool only_waiting(bool verdicts_too) const;

 private:
  bool pausing() const override { return pause_.has_value(); }
  void pause(Pause why) override;
  void when_budget_settles(std::function<void()> retry) override;
  void settled() override;

  void start_next();
  /// Ends if it pauses and nothing is under way any more.
  void end_if_drained();
  void trajectory_ended(std::size_t index, std::exception_ptr error);
  void finish();

  Services& services_;
  const Plan& plan_;
  Enrolled enrolled_;
  const store::Reader& reader_;
  Post post_;
  Ended ended_;
  JudgeHealth judge_;
  std::optional<Pause> pause_;
  std::exception_ptr error_;       ///< what makes going on impossible: it drains first, as a pause
  bool wait_for_verdicts_ = true;  ///< while it drains
  std::vector<std::function<void()>> waiting_for_budget_;
  bool look_posted_ = false;  ///< a look at what has settled is posted
  std::size_t next_ = 0;
  std::vector<std::shared_ptr<const Task>> tasks_;
  std::vector<strategies::StrategyFunction> strategies_;  // one a trajectory's label
  std::map<std::size_t, std::unique_ptr<Trajectory>> running_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // what is posted and comes late sees it
};

}  // namespace ridgeline::campaign
