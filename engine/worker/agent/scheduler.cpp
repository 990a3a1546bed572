#include "engine/worker/agent/scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline::agent {

Scheduler::Scheduler(SchedulerSettings settings) : settings_(std::move(settings)) {
  for (const auto& backend : settings_.devices) {
    actions_.emplace_back(StartJudge{static_cast<int>(devices_.size()), 0});
    devices_.push_back({backend, JudgeState::starting, "", 0});
  }
}

bool Scheduler::submit(WorkItem work) {
  const std::string id = work.id;
  if (requests_.contains(id)) return false;
  const bool nothing_to_build = work.build.empty();
  // A request that still has to be built is accepted without a device, for its compile errors. Once a judge
  // was given up, another worker should have it.
  const bool possible = nothing_to_build ? has_device(work.backend) : !given_up(work.backend);
  requests_[id] = {std::move(work), nothing_to_build ? State::built : State::waiting, 0};
  if (!possible)
    finish(id, RequestEnd::no_device);
  else
    (nothing_to_build ? to_measure_ : to_build_).push_back(id);
  return true;
}

void Scheduler::cancel(const std::string& id) {
  requests_.erase(id);
  choice_.forget(id);
  std::erase(to_build_, id);
  std::erase(to_measure_, id);
  for (auto& [build, waiting] : builds_) std::erase(waiting, id);
  for (auto& device : devices_)
    if (device.request == id)
      device.request.clear();  // it stays busy until its judge answers; the answer is dropped
}

void Scheduler::expect_modules(const std::string& backend) {
  for (auto& device : devices_) device.modules_coming = device.modules_coming || device.backend == backend;
}

void Scheduler::build_ended(const std::string& build, bool built) {
  // Extracted first: `finish` and later events must not see the build as running.
  const auto running = builds_.extract(build);
  if (running.empty()) return;
  for (const auto& id : running.mapped()) {
    auto& request = requests_.at(id);
    if (!built) {
      finish(id, RequestEnd::build_failed);
    } else if (!has_device(request.work.backend)) {
      finish(id, RequestEnd::no_device);
    } else {
      request.state = State::built;
      to_measure_.push_back(id);
    }
  }
}

void Scheduler::judge_ready(int device) {
  devices_.at(static_cast<std::size_t>(device)).state = JudgeState::idle;
}

void Scheduler::judge_answered(int number) {
  auto& device = devices_.at(static_cast<std::size_t>(number));
  device.state = JudgeState::idle;
  // Only a measurement proves that the judge works. A judge that dies in each measurement would otherwise
  // never be given up, because it prepares well in between.
  if (!std::exchange(device.preparing, false)) device.failures = 0;
  if (const auto id = std::exchange(device.request, ""); !id.empty()) finish(id, RequestEnd::measured);
}

void Scheduler::judge_lost(int number) {
  auto& device = devices_.at(static_cast<std::size_t>(number));
  ++device.failures;
  device.preparing = false;
  const bool again = device.failures < settings_.judge_failures;
  device.state = again ? JudgeState::starting : JudgeState::given_up;
  if (again) {
    const double delay = settings_.first_delay * std::pow(2, device.failures - 1);
    actions_.emplace_back(StartJudge{number, std::min(delay, settings_.longest_delay)});
  }
  if (const auto id = std::exchange(device.request, ""); !id.empty()) {
    auto& request = requests_.at(id);
    request.lost_on = number;
    if (++request.judges_lost > settings_.judge_retries) {
      finish(id, RequestEnd::judge_failed);
    } else {
      request.state = State::built;
      // Ahead of the others, since it has waited the longest.
      to_measure_.push_front(id);
    }
  }
  if (again) return;
  choice_.device_given_up(number);
  std::vector<std::string> stranded;
  for (const auto& [id, request] : requests_)
    // A build that runs is left to end; build_ended then finishes its requests.
    if (given_up(request.work.backend) && request.state != State::building) stranded.push_back(id);
  for (const auto& id : stranded) {
    std::erase(to_build_, id);
    std::erase(to_measure_, id);
    finish(id, RequestEnd::no_device);
  }
}

std::vector<Action> Scheduler::take_actions() {
  // Measurements first, announcements and preparations last: those use judges that would be idle.
  start_measures();
  start_builds();
  announce_modules();
  if (settings_.prepares) start_prepares();
  return std::exchange(actions_, {});
}

void Scheduler::finish(const std::string& id, RequestEnd ending) {
  requests_.erase(id);
  choice_.forget(id);
  actions_.emplace_back(Finish{id, ending});
}

std::size_t Scheduler::working(const std::string& backend) const {
  return static_cast<std::size_t>(std::ranges::count_if(devices_, [&](const Device& device) {
    return device.backend == backend && device.state != JudgeState::given_up;
  }));
}

bool Scheduler::has_device(const std::string& backend) const {
  return working(backend) > 0;
}

bool Scheduler::given_up(const std::string& backend) const {
  const auto has_backend = [&](const Device& device) { return device.backend == backend; };
  return std::any_of(devices_.begin(), devices_.end(), has_backend) && !has_device(backend);
}

void Scheduler::start_measures() {
  for (std::size_t number = 0; number < devices_.size(); ++number) {
    auto& device = devices_[number];
    if (device.state != JudgeState::idle) continue;
    const auto next = next_for(number);
    if (next == to_measure_.end()) continue;
    device.state = JudgeState::busy;
    // The measurement used what was prepared.
    device.prepared = false;
    device.request = *next;
    auto& request = requests_.at(*next);
    request.state = State::measuring;
    choice_.measurement_begins(*next, request.work.task, static_cast<int>(number));
    actions_.emplace_back(StartMeasure{*next, static_cast<int>(number)});
    to_measure_.erase(next);
  }
}

/// Returns the request that the idle device measures next; the end of `to_measure_` if it takes none.
std::deque<std::string>::iterator Scheduler::next_for(std::size_t number) {
  const auto& device = devices_[number];
  std::vector<WaitingRequest> waiting;
  for (const auto& id : to_measure_)
    if (const auto& request = requests_.at(id); request.work.backend == device.backend)
      waiting.push_back({id, request.work.task, request.lost_on});
  const auto chosen = choice_.choose(static_cast<int>(number), working(device.backend), waiting);
  return chosen ? std::ranges::find(to_measure_, *chosen) : to_measure_.end();
}

void Scheduler::announce_modules() {
  for (std::size_t number = 0; number < devices_.size(); ++number) {
    auto& device = devices_[number];
    if (device.state != JudgeState::idle || !std::exchange(device.modules_coming, false)) continue;
    device.state = JudgeState::busy;
    device.preparing = true;
    actions_.emplace_back(AnnounceModules{static_cast<int>(number)});
  }
}

void Scheduler::start_prepares() {
  for (std::size_t number = 0; number < devices_.size(); ++number) {
    auto& device = devices_[number];
    if (device.state != JudgeState::idle || device.prepared) continue;
    for (const auto& [build, waiting] : builds_) {
      // Empty if all requests for the build were cancelled.
      if (waiting.empty()) continue;
      const auto& work = requests_.at(waiting.front()).work;
      if (work.backend != device.backend ||
          !choice_.should_prepare(static_cast<int>(number), working(device.backend), work.task))
        continue;
      choice_.preparation_begins(work.task, static_cast<int>(number));
      device.state = JudgeState::busy;
      device.preparing = device.prepared = true;
      actions_.emplace_back(StartPrepare{waiting.front(), static_cast<int>(number)});
      break;
    }
  }
}

void Scheduler::start_builds() {
  while (!to_build_.empty()) {
    const std::string id = to_build_.front();
    auto& request = requests_.at(id);
    const auto running = builds_.find(request.work.build);
    if (running == builds_.end()) {
      // Running builds count as waiting artefacts, since they will be.
      const bool enough_ahead = to_measure_.size() + builds_.size() >= settings_.built_ahead;
      if (builds_.size() >= static_cast<std::size_t>(settings_.builders) || enough_ahead) return;
      builds_[request.work.build] = {id};
      actions_.emplace_back(StartBuild{request.work.build, id});
    } else {
      running->second.push_back(id);
    }
    request.state = State::building;
    to_build_.pop_front();
  }
}

}  // namespace ridgeline::agent
