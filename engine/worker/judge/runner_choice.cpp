#include "engine/worker/judge/runner_choice.hpp"

#include <algorithm>

#include "profiler/cpu_info.hpp"

namespace ridgeline::judge {

RunnerProcessFactory runner_factory_for(const JudgeOptions& options, sandbox::Isolation level,
                                        Backend& backend) {
  RunnerSettings library;
  library.program = options.runner;
  library.scratch_parent = options.scratch;
  library.level = level;
  // Several judges, builds and other programs share the machine.
  const double share = std::clamp(profiler::total_memory() / 4, 512.0 * (1 << 20), 4096.0 * (1 << 20));
  library.data_limit = static_cast<std::uint64_t>(share);
  library.resident_limit = static_cast<std::uint64_t>(share * 1.5);
  backend.configure_runner(library);
  std::optional<RunnerSettings> python;
  if (options.python) {
    python = library;
    python->python = options.python;
  }
  const auto counting = backend.telemetry().counting();
  return {std::move(library), std::move(python), counting ? counting->library : std::nullopt, options.cores};
}

std::unique_ptr<RunnerProcess> runner_for(const protocol::JudgeRequest& request, RunnerPool& pool,
                                          const RunnerProcessFactory& factory) {
  const auto kind = runner_kind(request.candidate.language);
  if (!request.settings.torch_compile) return take_process(pool, kind);
  auto settings = factory.settings(kind);
  settings.compiles = true;
  return std::make_unique<RunnerProcess>(settings);
}

}  // namespace ridgeline::judge
