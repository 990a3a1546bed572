#include "engine/worker/judge/runners/runner_factory.hpp"

#include <thread>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

RunnerProcessFactory::RunnerProcessFactory(RunnerSettings library, std::optional<RunnerSettings> python,
                                           const std::optional<std::filesystem::path>& cupti, unsigned cores)
    : cores_(cores > 0 ? cores : std::thread::hardware_concurrency()) {
  if (cupti) {
    at(RunnerKind::counting) = library;
    at(RunnerKind::counting)->cupti = cupti;
    at(RunnerKind::python_counting) = python;
    if (python) at(RunnerKind::python_counting)->cupti = cupti;
    for (const auto kind : {RunnerKind::counting, RunnerKind::python_counting})
      if (at(kind)) at(kind)->sealing = nullptr;  // nothing is timed there
  }
  at(RunnerKind::library) = std::move(library);
  at(RunnerKind::python) = std::move(python);
}

std::unique_ptr<PooledRunner> RunnerProcessFactory::start(RunnerKind kind) {
  return std::make_unique<RunnerProcess>(settings(kind), RunnerProcess::Starting{});
}

const RunnerSettings& RunnerProcessFactory::settings(RunnerKind kind) const {
  const auto& settings = settings_[static_cast<std::size_t>(kind)];
  if (settings) return *settings;
  throw MachineCannot(kind == RunnerKind::python ? no_python : "nothing here counts what a GPU does");
}

RunnerMeans RunnerProcessFactory::means() const {
  const auto has = [this](RunnerKind kind) { return settings_[static_cast<std::size_t>(kind)].has_value(); };
  return {.opens_device = opens_device(RunnerKind::library),
          .python = has(RunnerKind::python),
          .counts = has(RunnerKind::counting),
          .cores = cores_};
}

}  // namespace ridgeline::judge
