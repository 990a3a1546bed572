#include "engine/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/store/journal.hpp"

namespace ridgeline::campaign {
namespace {

bool is_over(store::TrajectoryState state) {
  return state == store::TrajectoryState::finished;
}

std::string text_of(std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& what) {
    return what.what();
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
    const auto choice = std::find_if(strategies.begin(), strategies.end(),
                                     [&](const auto& one) { return one.label == trajectory.strategy; });
    strategies_.push_back(strategies::make_strategy(choice->strategy, choice->settings));
  }
}

Campaign::~Campaign() = default;

void Campaign::start(Ended ended) {
  ended_ = std::move(ended);
  const auto& all = enrolled_.trajectories;
  const auto over = std::count_if(all.begin(), all.end(), [](const auto& one) { return is_over(one.state); });
  services_.progress.planned(static_cast<int>(all.size()), static_cast<int>(over));
  post_([this] { start_next(); });
}

void Campaign::stop() {
  ended_ = nullptr;
  running_.clear();
}

bool Campaign::only_waiting(bool verdicts_too) const {
  return !running_.empty() && std::all_of(running_.begin(), running_.end(), [&](const auto& entry) {
    const auto& one = *entry.second;
    return verdicts_too ? one.waiting_for_models() + one.waiting_for_verdicts() > 0
                        : one.waiting_for_models() > 0 && one.waiting_for_verdicts() == 0;
  });
}

void Campaign::start_next() {
  if (!ended_) return;
  while (next_ < enrolled_.trajectories.size() && running() < services_.config.concurrency) {
    const auto index = next_++;
    auto record = enrolled_.trajectories[index];
    if (is_over(record.state)) continue;
    if (record.state != store::TrajectoryState::running)
      services_.writer.set_state(record.id, store::TrajectoryState::running, "", services_.now(), {});
    auto journal =
        enrolled_.known[index] ? store::load_journal(reader_, record.id) : std::vector<store::JournalEntry>();
    auto trajectory = std::make_unique<Trajectory>(
        services_, std::move(record), tasks_[enrolled_.tasks[index]], strategies_[index], std::move(journal));
    auto& started = *trajectory;
    running_.emplace(index, std::move(trajectory));
    services_.progress.started(started.where());
    started.start([this, index](std::exception_ptr error) {
      post_([this, index, error] { trajectory_ended(index, error); });  // its coroutine is still on the stack
    });
  }
  if (running_.empty() && next_ == enrolled_.trajectories.size()) finish(nullptr);
}

void Campaign::trajectory_ended(std::size_t index, std::exception_ptr error) {
  const auto found = running_.find(index);
  if (!ended_ || found == running_.end()) return;
  const auto trajectory = std::move(found->second);
  running_.erase(found);
  const auto state = error ? store::TrajectoryState::failed : store::TrajectoryState::finished;
  const auto detail = error ? text_of(error) : std::string();
  services_.progress.ended(trajectory->where(), state, detail);
  services_.writer.set_state(trajectory->record().id, state, detail, services_.now(), {});
  if (error) return finish(error);
  start_next();
}

void Campaign::finish(std::exception_ptr error) {
  if (!ended_) return;
  const auto told = std::exchange(ended_, nullptr);
  told(error);
}

}  // namespace ridgeline::campaign
