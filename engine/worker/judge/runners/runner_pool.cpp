#include "engine/worker/judge/runners/runner_pool.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

RunnerPool::RunnerPool(RunnerFactory& factory, std::function<void(RunnerKind)> taken)
    : factory_(factory), taken_(std::move(taken)) {}

void RunnerPool::start(RunnerKind kind, std::size_t keep, std::size_t open) {
  factory_.require(kind);
  auto& line = waiting(kind);
  while (line.size() < keep) line.push_back({factory_.start(kind)});
  auto past = std::ranges::count_if(line, [](const auto& one) { return one.runner->past_barrier(); });
  for (auto& one : line) {
    if (past >= static_cast<std::ptrdiff_t>(open)) break;
    if (!one.runner->at_barrier()) continue;  // it still imports; who takes it waits for that
    one.runner->open_barrier();
    ++past;
  }
}

std::unique_ptr<PooledRunner> RunnerPool::take(RunnerKind kind) {
  factory_.require(kind);
  if (taken_) taken_(kind);
  find_at_hand(kind);
  // The time of an empty batch is measured below, and another interpreter's first kernels would lengthen it.
  if (factory_.opens_device(kind)) wait_until_none_opens_device();
  auto& line = waiting(kind);
  while (!line.empty()) {
    auto first = std::move(line.front());
    line.pop_front();
    if (make_ready_and_measure(first) && first.runner->alive()) return std::move(first.runner);
    retire(std::move(first.runner));  // one that died while it waited must not be blamed on the candidate
  }
  auto fresh = factory_.start(kind);
  fresh->await_ready();
  fresh->measure_overhead();
  return fresh;
}

bool RunnerPool::find_at_hand(RunnerKind kind) {
  auto& line = waiting(kind);
  auto found = std::ranges::find_if(line, [](const auto& one) { return one.runner->past_barrier(); });
  if (found == line.end())
    found = std::ranges::find_if(line, [](const auto& one) { return one.runner->at_barrier(); });
  if (found == line.end()) return false;
  std::iter_swap(line.begin(), found);
  return true;
}

void RunnerPool::retire(std::unique_ptr<PooledRunner> runner) {
  if (runner) retired_.push_back(std::move(runner));
}

void RunnerPool::end_retired() {
  std::erase_if(ends_, [](const auto& end) {
    return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  // An end waits until the kernel has torn down the process with its mappings, a tenth of a second with a
  // context on a device.
  for (auto& runner : std::exchange(retired_, {}))
    ends_.push_back(std::async(std::launch::async, [ends = std::move(runner)] { ends->stop(); }));
}

void RunnerPool::wait_for_retired() {
  end_retired();
  ends_.clear();  // the destructor of a future of std::async waits
}

void RunnerPool::wait_for_background_work() {
  for (auto& line : waiting_)
    std::erase_if(line, [](auto& one) { return one.runner->past_barrier() && !await_ready(one); });
  wait_for_retired();
  // Overheads come last, since they are measured beside nothing else.
  for (auto& line : waiting_)
    std::erase_if(line, [](auto& one) { return one.ready && !make_ready_and_measure(one); });
}

RunnersNow RunnerPool::now() const {
  const auto any = [this](auto is) {
    return std::ranges::any_of(waiting_, [&](const auto& line) { return std::ranges::any_of(line, is); });
  };
  RunnersNow now;
  now.ending = !retired_.empty() || !ends_.empty();
  now.opening_device = any([](const Waiting& one) { return one.opens_device(); });
  now.starting_or_ending =
      now.ending || any([](const Waiting& one) { return !one.measured && one.runner->past_barrier(); });
  return now;
}

std::vector<std::shared_ptr<void>> RunnerPool::pause_importing_runners() {
  std::vector<std::shared_ptr<void>> paused;
  for (auto& line : waiting_)
    for (auto& one : line)
      if (!one.runner->past_barrier() && !one.runner->at_barrier()) paused.push_back(one.runner->pause());
  return paused;
}

/// False: it did not start.
bool RunnerPool::await_ready(Waiting& one) {
  if (one.ready) return true;
  try {
    one.runner->await_ready();
    one.ready = true;
  } catch (const MachineCannot&) {  // no candidate waits for it, so nobody needs to hear of it
  }
  return one.ready;
}

bool RunnerPool::make_ready_and_measure(Waiting& one) {
  if (one.measured || !await_ready(one)) return one.measured;
  try {
    one.runner->measure_overhead();
    one.measured = true;
  } catch (const MachineCannot&) {
  }
  return one.measured;
}

void RunnerPool::wait_until_none_opens_device() {
  for (auto& line : waiting_)
    for (auto& one : line)
      if (one.opens_device()) await_ready(one);
}

std::unique_ptr<RunnerProcess> take_process(RunnerPool& pool, RunnerKind kind) {
  auto runner = pool.take(kind);
  static_cast<void>(dynamic_cast<RunnerProcess&>(*runner));  // throws if another factory made it
  return std::unique_ptr<RunnerProcess>(static_cast<RunnerProcess*>(runner.release()));
}

}  // namespace ridgeline::judge
