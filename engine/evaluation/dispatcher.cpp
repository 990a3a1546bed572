#include "engine/evaluation/dispatcher.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline::evaluation {

Dispatcher::Dispatcher(int workers, DispatcherSettings settings) : settings_(settings) {
  workers_.resize(static_cast<std::size_t>(workers));
  for (int worker = 0; worker < workers; ++worker) actions_.emplace_back(StartWorker{worker, 0});
}

void Dispatcher::submit(RequestId request) {
  waiting_.push_back(request);
}

void Dispatcher::cancel(RequestId request) {
  std::erase(waiting_, request);
  for (auto& worker : workers_) worker.requests.erase(request);
  retries_.erase(request);
}

void Dispatcher::worker_ready(int number, int window) {
  auto& worker = workers_.at(static_cast<std::size_t>(number));
  worker.state = State::ready;
  // A window of 0 would never get a request.
  worker.window = static_cast<std::size_t>(std::max(window, 1));
}

bool Dispatcher::answered(int number, RequestId request) {
  auto& worker = workers_.at(static_cast<std::size_t>(number));
  // Also after a cancel: the worker was not told, and its answer still comes.
  if (worker.requests.erase(request) == 0) return false;
  // An answer proves that the worker works, so its next loss starts with the shortest delay.
  worker.losses = 0;
  retries_.erase(request);
  return true;
}

void Dispatcher::worker_lost(int number) {
  auto& worker = workers_.at(static_cast<std::size_t>(number));
  // A refused worker ends too, and that is no loss.
  if (worker.state == State::down) return;
  if (++worker.losses < settings_.starts) {
    worker.state = State::starting;
    const double delay = settings_.first_delay * std::pow(2, worker.losses - 1);
    actions_.emplace_back(StartWorker{number, std::min(delay, settings_.longest_delay)});
  } else {
    worker.state = State::down;
  }
  requeue_requests_of(number);
}

void Dispatcher::worker_refused(int number) {
  workers_.at(static_cast<std::size_t>(number)).state = State::down;
  requeue_requests_of(number);
}

/// Puts the requests of a worker back at the front of the queue, in their order, or gives them up.
void Dispatcher::requeue_requests_of(int number) {
  auto& worker = workers_[static_cast<std::size_t>(number)];
  const auto had = std::exchange(worker.requests, {});
  for (auto request = had.rbegin(); request != had.rend(); ++request) {
    auto& retry = retries_[*request];
    // The request may itself have killed the worker, or the machine is bad: another one tells which.
    retry.avoid = number;
    if (++retry.losses <= settings_.retries) {
      waiting_.push_front(*request);
    } else {
      retries_.erase(*request);
      actions_.emplace_back(GiveUp{*request});
    }
  }
}

std::vector<DispatchAction> Dispatcher::take_actions() {
  // No worker will ever come, so nothing may wait for one.
  if (!any_worker_left()) {
    for (const auto request : std::exchange(waiting_, {})) {
      retries_.erase(request);
      actions_.emplace_back(GiveUp{request});
    }
  }
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    const auto worker = least_loaded_for(*next);
    if (!worker && !retries_.contains(*next))
      break;  // all windows are full; only a request that avoids a worker may be skipped
    if (!worker) {
      ++next;
      continue;
    }
    workers_[static_cast<std::size_t>(*worker)].requests.insert(*next);
    actions_.emplace_back(Send{*worker, *next});
    next = waiting_.erase(next);
  }
  return std::exchange(actions_, {});
}

bool Dispatcher::any_worker_left() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return worker.state != State::down; });
}

/// Returns the ready worker that uses the smallest share of its window, or nothing if all are full. Shares
/// and not counts, because a machine with more devices announces a larger window.
std::optional<int> Dispatcher::least_loaded_for(RequestId request) const {
  const auto retry = retries_.find(request);
  const int avoid =
      retry != retries_.end() && another_worker_than(retry->second.avoid) ? retry->second.avoid : -1;
  std::optional<int> best;
  double least = 1;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const auto& worker = workers_[i];
    if (worker.state != State::ready || static_cast<int>(i) == avoid) continue;
    const double load = static_cast<double>(worker.requests.size()) / static_cast<double>(worker.window);
    // A worker with a full window has load 1 and is never chosen.
    if (load >= least) continue;
    least = load;
    best = static_cast<int>(i);
  }
  return best;
}

bool Dispatcher::another_worker_than(int number) const {
  for (std::size_t i = 0; i < workers_.size(); ++i)
    if (static_cast<int>(i) != number && workers_[i].state != State::down) return true;
  return false;
}

}  // namespace ridgeline::evaluation
