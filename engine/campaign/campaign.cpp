#include "engine/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/store/journal.hpp"

namespace ridgeline::campaign {
namespace {

bool is_finished(store::TrajectoryState state) {
  return state == store::TrajectoryState::finished;
}

std::string message_of(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& what) {
    return what.what();
  }
}

bool concerns_one_task_only(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const TaskCannotBeJudged&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

Campaign::Campaign(Services& services, const Plan& plan, Enrolled enrolled, const store::Reader& reader,
                   Post post)
    : services_(services),
      plan_(plan),
      enrolled_(std::move(enrolled)),
      reader_(reader),
      post_(std::move(post)) {
  for (const auto& task : plan_.tasks) tasks_.push_back(evaluation::borrowed(task));
  for (const auto& trajectory : enrolled_.trajectories) {
    const auto& strategies = services_.config.strategies;
    const auto choice = std::ranges::find(strategies, trajectory.strategy, &StrategyChoice::label);
    strategies_.push_back(strategies::make_strategy(choice->strategy, choice->settings));
  }
}

Campaign::~Campaign() = default;

void Campaign::start(Ended ended) {
  ended_ = std::move(ended);
  const auto& all = enrolled_.trajectories;
  const auto finished = std::ranges::count_if(all, is_finished, &store::TrajectoryRecord::state);
  services_.progress.planned(static_cast<int>(all.size()), static_cast<int>(finished));
  post_([this] { start_next(); });
}

void Campaign::stop_soon(const std::string& reason) {
  wait_for_verdicts_ = false;
  pause({reason, ""});
  settled();
}

void Campaign::stop(const std::string& reason) {
  ended_ = nullptr;
  for (const auto& [index, trajectory] : running_)
    services_.writer.set_state(trajectory->record().id, store::TrajectoryState::incomplete, reason,
                               services_.now(), {});
  running_.clear();
}

int Campaign::calls_under_way() const {
  int calls = 0;
  for (const auto& [index, trajectory] : running_) calls += trajectory->waiting_for_models();
  return calls;
}

void Campaign::pause(Pause why) {
  if (pause_) return;  // the first cause wins
  pause_ = std::move(why);
  services_.progress.pausing(pause_->reason);
  // Requests that were not sent come back cancelled; no attempt is repeated.
  for (const auto& model : services_.config.models) services_.client(model.name).stop_sending();
  settled();
}

void Campaign::when_budget_settles(std::function<void()> retry) {
  waiting_for_budget_.push_back(std::move(retry));
}

// Posts one check for many settlements. It must not run here: whoever settled something is still on the
// stack, and a retry would re-enter it.
void Campaign::settled() {
  if (settlement_check_posted_ || (waiting_for_budget_.empty() && !pause_)) return;
  settlement_check_posted_ = true;
  post_([this, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired()) return;
    settlement_check_posted_ = false;
    for (const auto& retry : std::exchange(waiting_for_budget_, {})) retry();
    end_if_drained();
  });
}

void Campaign::end_if_drained() {
  if (!pause_ || !ended_) return;
  for (const auto& [index, trajectory] : running_)
    if (trajectory->waiting_for_models() > 0 || trajectory->waiting_for_commits() > 0 ||
        (wait_for_verdicts_ && trajectory->waiting_for_verdicts() > 0))
      return;
  // Taken first: `stop` clears it, and `ended` may destroy this object.
  const auto ended = std::exchange(ended_, nullptr);
  stop(pause_->reason);
  ended(error_);
}

bool Campaign::only_waiting(bool verdicts_too) const {
  return !running_.empty() && std::all_of(running_.begin(), running_.end(), [&](const auto& entry) {
    const auto& trajectory = *entry.second;
    return verdicts_too ? trajectory.waiting_for_models() + trajectory.waiting_for_verdicts() > 0
                        : trajectory.waiting_for_models() > 0 && trajectory.waiting_for_verdicts() == 0;
  });
}

void Campaign::start_next() {
  if (!ended_ || pause_) return;
  while (next_ < enrolled_.trajectories.size() && running() < services_.config.concurrency) {
    const auto index = next_++;
    auto record = enrolled_.trajectories[index];
    if (is_finished(record.state)) continue;
    if (record.state != store::TrajectoryState::running)
      services_.writer.set_state(record.id, store::TrajectoryState::running, "", services_.now(), {});
    // Loaded only now, so that memory holds the journals of running trajectories alone.
    const bool known = enrolled_.known[index];
    RecordedTrajectory recorded;
    if (known)
      recorded = {store::load_journal(reader_, record.id), store::load_effect_events(reader_, record.id),
                  reader_.failed_expense(record.id)};
    Coordinator& coordinator = *this;  // a private base: make_unique could not convert
    auto trajectory =
        std::make_unique<Trajectory>(services_, coordinator, judge_, std::move(record),
                                     tasks_[enrolled_.tasks[index]], strategies_[index], std::move(recorded));
    auto& started = *trajectory;
    running_.emplace(index, std::move(trajectory));
    services_.progress.started(started.where());
    started.start([this, index](std::exception_ptr error) {
      // Posted, since `trajectory_ended` destroys the trajectory and its coroutine is still on the stack.
      post_([this, index, error, alive = std::weak_ptr<bool>(alive_)] {
        if (!alive.expired()) trajectory_ended(index, error);
      });
    });
    if (pause_) return;  // its first call met a cap of the campaign
  }
  if (running_.empty() && next_ == enrolled_.trajectories.size()) finish();
}

void Campaign::trajectory_ended(std::size_t index, std::exception_ptr error) {
  const auto running = running_.find(index);
  if (!ended_ || running == running_.end()) return;
  const auto trajectory = std::move(running->second);
  running_.erase(running);
  const auto state = error ? store::TrajectoryState::failed : store::TrajectoryState::finished;
  const auto detail = error ? message_of(error) : std::string();
  services_.progress.ended(trajectory->where(), state, detail);
  services_.writer.set_state(trajectory->record().id, state, detail, services_.now(), {});
  // A strategy that throws or a store that fails would fail every other trajectory too.
  if (error && !concerns_one_task_only(error)) {
    if (!error_) error_ = error;
    pause({detail, ""});
  }
  if (pause_) return end_if_drained();
  start_next();
}

void Campaign::finish() {
  if (!ended_) return;
  const auto ended = std::exchange(ended_, nullptr);
  ended(nullptr);
}

}  // namespace ridgeline::campaign
