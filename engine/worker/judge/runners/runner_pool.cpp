#include "engine/worker/judge/runners/runner_pool.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

namespace {
// Beside a device, where a start takes as long as a verdict, and that of an interpreter ten times as long.
constexpr std::size_t kAhead = 2;
// Two an answer: itself and its reference. Wrong ones follow one another in less than an import takes.
constexpr std::size_t kLeastPythonsAhead = 4, kMostPythonsAhead = 8;

std::size_t pythons_ahead() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, kLeastPythonsAhead,
                                 kMostPythonsAhead);
}
}  // namespace

RunnerKind runner_kind(Language language) {
  return is_module(language) ? RunnerKind::python : RunnerKind::library;
}

RunnerKind counting_kind(RunnerKind kind) {
  return kind == RunnerKind::library || kind == RunnerKind::counting ? RunnerKind::counting
                                                                     : RunnerKind::python_counting;
}

RunnerPool::RunnerPool(RunnerSettings library, std::optional<RunnerSettings> python,
                       const std::optional<std::filesystem::path>& cupti) {
  if (library.cuda_device)
    for (const auto kind : {RunnerKind::library, RunnerKind::counting, RunnerKind::python_counting})
      of(kind).ahead = kAhead;
  if (cupti) {
    of(RunnerKind::counting).settings = library;
    of(RunnerKind::counting).settings->cupti = cupti;
    of(RunnerKind::python_counting).settings = python;
    if (python) of(RunnerKind::python_counting).settings->cupti = cupti;
  }
  of(RunnerKind::library).settings = std::move(library);
  of(RunnerKind::library).wanted = true;  // until somebody asks for something else
  if (python && python->cuda_device) of(RunnerKind::python).ahead = pythons_ahead();
  of(RunnerKind::python).settings = std::move(python);
}

const RunnerSettings& RunnerPool::settings(RunnerKind kind) const {
  const auto& found = kinds_[static_cast<std::size_t>(kind)].settings;
  if (found) return *found;
  throw MachineCannot(kind == RunnerKind::python ? no_python : "nothing here counts what a GPU does");
}

bool RunnerPool::await_ready(Waiting& one) {
  if (one.ready) return true;
  try {
    one.runner->await_ready();
    one.ready = true;
  } catch (const MachineCannot&) {
  }
  return one.ready;
}

bool RunnerPool::bring_up(Waiting& one) {
  if (one.up || !await_ready(one)) return one.up;
  try {
    one.runner->measure_overhead();
    one.up = true;
  } catch (const MachineCannot&) {
  }
  return one.up;
}

void RunnerPool::await_opened() {
  for (auto& kind : kinds_)
    for (auto& one : kind.waiting)
      if (one.runner->interpreter() && one.runner->past_barrier()) await_ready(one);
}

bool RunnerPool::opening() const {
  return std::ranges::any_of(kinds_, [](const Kind& kind) {
    return std::ranges::any_of(kind.waiting, [](const auto& one) {
      return one.runner->interpreter() && one.runner->past_barrier() && !one.ready;
    });
  });
}

std::unique_ptr<RunnerProcess> RunnerPool::take(RunnerKind kind) {
  const auto& how = settings(kind);
  // A candidate takes one that does not count, and then perhaps one of its kind that does.
  if (kind != counting_kind(kind))
    for (auto& other : kinds_)
      if (&other != &of(kind) && &other != &of(counting_kind(kind))) other.wanted = false;
  auto& waiting = of(kind).waiting;
  of(kind).wanted = true;
  at_hand(kind);                        // one that has arrived comes first
  if (how.cuda_device) await_opened();  // what an empty batch takes is measured beside no interpreter
  while (!waiting.empty()) {
    auto first = std::move(waiting.front());
    waiting.pop_front();
    if (bring_up(first) && first.runner->alive()) return std::move(first.runner);
    retire(std::move(first.runner));  // one that died while it waited must not be blamed on the candidate
  }
  return std::make_unique<RunnerProcess>(how);
}

void RunnerPool::start(RunnerKind kind, std::size_t count) {
  const auto& how = settings(kind);
  auto& one = of(kind);
  while (one.waiting.size() < std::max(one.ahead, count))
    one.waiting.push_back({std::make_unique<RunnerProcess>(how, RunnerProcess::Starting{})});
  auto open = std::ranges::count_if(one.waiting, [](const auto& it) { return it.runner->past_barrier(); });
  for (auto& it : one.waiting) {
    if (open >= static_cast<std::ptrdiff_t>(count)) break;
    if (!it.runner->at_barrier()) continue;
    it.runner->open_barrier();
    ++open;
  }
}

void RunnerPool::expect(RunnerKind kind, std::size_t count) {
  start(kind, count);
  of(kind).wanted = true;
}

bool RunnerPool::at_hand(RunnerKind kind) {
  auto& waiting = of(kind).waiting;
  auto first = std::ranges::find_if(waiting, [](auto& one) { return one.runner->past_barrier(); });
  if (first == waiting.end())
    first = std::ranges::find_if(waiting, [](auto& one) { return one.runner->at_barrier(); });
  if (first == waiting.end()) return false;
  std::iter_swap(waiting.begin(), first);  // the next to be taken
  return true;
}

void RunnerPool::start_ahead() {
  for (const auto kind :
       {RunnerKind::library, RunnerKind::python, RunnerKind::counting, RunnerKind::python_counting})
    if (of(kind).wanted) start(kind);
}

void RunnerPool::retire(std::unique_ptr<RunnerProcess> runner) {
  if (runner) retired_.push_back(std::move(runner));
}

void RunnerPool::begin_ends() {
  std::erase_if(ends_, [](const auto& end) {
    return end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  for (auto& runner : std::exchange(retired_, {}))
    ends_.push_back(std::async(std::launch::async, [ends = std::move(runner)] { ends->finish(); }));
}

bool RunnerPool::busy() const {
  const auto starts = [](const Kind& kind) {
    return std::ranges::any_of(kind.waiting,
                               [](const auto& one) { return !one.up && one.runner->past_barrier(); });
  };
  return ending() || std::ranges::any_of(kinds_, starts);
}

void RunnerPool::await_ends() {
  begin_ends();
  ends_.clear();  // a future of std::async waits where it goes
}

std::vector<std::unique_ptr<RunnerProcess::Pause>> RunnerPool::pause_importing_runners() {
  std::vector<std::unique_ptr<RunnerProcess::Pause>> held;
  for (auto& kind : kinds_)
    for (auto& one : kind.waiting)
      if (!one.runner->past_barrier() && !one.runner->at_barrier())
        held.push_back(std::make_unique<RunnerProcess::Pause>(*one.runner));
  return held;
}

void RunnerPool::settle() {
  for (auto& kind : kinds_)
    std::erase_if(kind.waiting, [](auto& one) { return one.runner->past_barrier() && !await_ready(one); });
  await_ends();
  for (auto& kind : kinds_)
    std::erase_if(kind.waiting, [](auto& one) { return one.ready && !bring_up(one); });
}

}  // namespace ridgeline::judge
