// Runs a campaign's trajectories side by side until all have ended or the campaign is stopped.
//
// One thread, the io_context's. Order of use: construct, `start`, run the io_context; `stop` at any time.
// The store then holds everything that a later run of the same campaign needs to go on.
//
// A campaign pauses by itself when a cap is reached or when an endpoint or the worker is out. It starts
// nothing new then, waits for calls under way, which are paid for, records them, and ends with `paused()`
// set.
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
  /// Receives null when every trajectory has ended or the campaign has paused, else the error that made going
  /// on impossible.
  using Ended = std::function<void(std::exception_ptr)>;
  /// Queues a function on the campaign's thread. It must not run it from inside.
  using Post = std::function<void(std::function<void()>)>;

  /// Borrows `services`, `plan` and `reader`, which must outlive this object.
  Campaign(Services& services, const Plan& plan, Enrolled enrolled, const store::Reader& reader, Post post);
  ~Campaign() override;

  /// Starts trajectories, at most `concurrency` at once. Calls `ended` once, unless `stop` comes first.
  void start(Ended ended);
  /// Pauses for `reason`, waits for calls to models but not for verdicts, and ends.
  void stop_soon(const std::string& reason);
  /// Pauses as a trajectory would that cannot go on.
  void pause_for(Pause why) { pause(std::move(why)); }
  /// Drops every running trajectory and records it as `incomplete` with `reason`. Does not call `ended`.
  /// Loses nothing that was committed.
  void stop(const std::string& reason);

  /// Returns why the campaign pauses or has paused; null if it does not.
  const Pause* paused() const { return pause_ ? &*pause_ : nullptr; }
  /// Returns how many calls to models are under way.
  int calls_under_way() const;

  int running() const { return static_cast<int>(running_.size()); }  ///< trajectories
  /// Returns whether every running trajectory waits for models, or with `verdicts_too` for models or
  /// verdicts, and for nothing else.
  bool only_waiting(bool verdicts_too) const;

 private:
  bool pausing() const override { return pause_.has_value(); }
  void pause(Pause why) override;
  void when_budget_settles(std::function<void()> retry) override;
  void settled() override;

  void start_next();
  /// Ends the campaign if it pauses and nothing is under way any more.
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
  std::exception_ptr error_;       ///< handed to `ended_` once calls under way have ended
  bool wait_for_verdicts_ = true;  ///< before a paused campaign ends
  std::vector<std::function<void()>> waiting_for_budget_;
  bool settlement_check_posted_ = false;
  std::size_t next_ = 0;  ///< index of the trajectory to start next
  std::vector<std::shared_ptr<const Task>> tasks_;
  std::vector<strategies::StrategyFunction> strategies_;        ///< by index of the trajectory
  std::map<std::size_t, std::unique_ptr<Trajectory>> running_;  ///< by index of the trajectory
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  ///< expires with this, for posted functions
};

}  // namespace ridgeline::campaign
