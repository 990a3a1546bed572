#include "engine/worker/judge/runner_stock.hpp"

#include <utility>
#include <vector>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

RunnerKind runner_kind(Language language) {
  return language == Language::torch || language == Language::triton ? RunnerKind::python
                                                                     : RunnerKind::library;
}

RunnerKind counting_kind(RunnerKind kind) {
  return kind == RunnerKind::library || kind == RunnerKind::counting ? RunnerKind::counting
                                                                     : RunnerKind::python_counting;
}

RunnerStock::RunnerStock(RunnerSettings library, std::optional<RunnerSettings> python,
                         const std::optional<std::filesystem::path>& cupti) {
  if (cupti) {
    of(RunnerKind::counting).settings = library;
    of(RunnerKind::counting).settings->cupti = cupti;
    of(RunnerKind::python_counting).settings = python;
    if (python) of(RunnerKind::python_counting).settings->cupti = cupti;
  }
  of(RunnerKind::library).settings = std::move(library);
  of(RunnerKind::library).wanted = true;  // until somebody asks for something else
  of(RunnerKind::python).settings = std::move(python);
}

const RunnerSettings& RunnerStock::settings(RunnerKind kind) const {
  const auto& found = kinds_[static_cast<std::size_t>(kind)].settings;
  if (found) return *found;
  throw MachineCannot(kind == RunnerKind::python ? no_python : "nothing here counts what a GPU does");
}

std::unique_ptr<RunnerProcess> RunnerStock::take(RunnerKind kind) {
  const auto& how = settings(kind);
  // A candidate takes one that does not count, and then perhaps one of its kind that does.
  if (kind != counting_kind(kind))
    for (auto& other : kinds_)
      if (&other != &of(kind) && &other != &of(counting_kind(kind))) other.wanted = false;
  auto& one = of(kind);
  one.wanted = true;
  // One that died while it waited must not be blamed on the candidate.
  if (!one.warm || !one.warm->alive()) return std::make_unique<RunnerProcess>(how);
  return std::move(one.warm);
}

void RunnerStock::warm_up() {
  std::vector<Kind*> starting;
  for (auto& one : kinds_) {
    if (one.wanted && one.warm && one.warm->alive()) continue;
    one.warm.reset();
    if (one.wanted) starting.push_back(&one);
  }
  std::vector<std::unique_ptr<RunnerProcess>> runners;
  for (const auto* one : starting)
    runners.push_back(std::make_unique<RunnerProcess>(*one->settings, RunnerProcess::Starting{}));
  for (auto& runner : runners) runner->await_ready();
  for (auto& runner : runners) runner->measure_overhead();  // once none of them starts any more
  for (std::size_t i = 0; i < starting.size(); ++i) starting[i]->warm = std::move(runners[i]);
}

}  // namespace ridgeline::judge
