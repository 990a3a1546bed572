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

void Dispatcher::ready(int number, int window) {
  auto& worker = workers_.at(static_cast<std::size_t>(number));
  worker.state = State::ready;
  worker.window = static_cast<std::size_t>(std::max(window, 1));
}

bool Dispatcher::answered(int number, RequestId request) {
  auto& worker = workers_.at(static_cast<std::size_t>(number));
  if (worker.requests.erase(request) == 0) return false;
  worker.losses = 0;
  retries_.erase(request);
  return true;
}

void Dispatcher::lost(int number) {
  auto& worker = workers_.at(static_cast<std::size_t>(number));
  if (worker.state == State::down) return;
  if (++worker.losses < settings_.starts) {
    worker.state = State::starting;
    const double delay = settings_.first_delay * std::pow(2, worker.losses - 1);
    actions_.emplace_back(StartWorker{number, std::min(delay, settings_.longest_delay)});
  } else {
    worker.state = State::down;
  }
  take_back(number);
}

void Dispatcher::refused(int number) {
  workers_.at(static_cast<std::size_t>(number)).state = State::down;
  take_back(number);
}

/// What the worker had waits again, ahead of the others and in its order, or is given up.
void Dispatcher::take_back(int number) {
  auto& worker = workers_[static_cast<std::size_t>(number)];
  const auto had = std::exchange(worker.requests, {});
  for (auto request = had.rbegin(); request != had.rend(); ++request) {
    auto& retry = retries_[*request];
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
  if (!any_left()) {
    for (const auto request : std::exchange(waiting_, {})) {
      retries_.erase(request);
      actions_.emplace_back(GiveUp{request});
    }
  }
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    const auto worker = best_for(*next);
    if (!worker && !retries_.contains(*next))
      break;  // no room for anyone; one that avoids a worker is passed over
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

bool Dispatcher::any_left() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return worker.state != State::down; });
}

/// The ready worker with the smallest share of its window in use.
std::optional<int> Dispatcher::best_for(RequestId request) const {
  const auto retry = retries_.find(request);
  const int avoid = retry != retries_.end() && another_than(retry->second.avoid) ? retry->second.avoid : -1;
  std::optional<int> best;
  double least = 1;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const auto& worker = workers_[i];
    if (worker.state != State::ready || static_cast<int>(i) == avoid) continue;
    const double load = static_cast<double>(worker.requests.size()) / static_cast<double>(worker.window);
    if (load >= least) continue;
    least = load;
    best = static_cast<int>(i);
  }
  return best;
}

bool Dispatcher::another_than(int number) const {
  for (std::size_t i = 0; i < workers_.size(); ++i)
    if (static_cast<int>(i) != number && workers_[i].state != State::down) return true;
  return false;
}

}  // namespace ridgeline::evaluation
