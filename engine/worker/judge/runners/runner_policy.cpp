#include "engine/worker/judge/runners/runner_policy.hpp"

#include <cstdlib>

#include "engine/worker/judge/runners/python_policy.hpp"
#include "engine/worker/runner/counting.hpp"
#include "engine/worker/sandbox/gpu_policy.hpp"

namespace ridgeline::judge {

sandbox::Policy runner_policy(const RunnerSettings& settings, const std::filesystem::path& scratch_folder) {
  sandbox::Limits limits;
  if (settings.data_limit > 0) limits.data = settings.data_limit;
  limits.resident = settings.resident_limit;
  limits.open_files = 256;
  limits.output = std::uint64_t{1} << 20;
  limits.kept_output = 4096;
  limits.watch_interval = 0.05;
  sandbox::Policy policy;
  policy.isolated(settings.level)
      .with_profile(sandbox::SeccompProfile::runner_loading)
      .system_libraries()
      .read(scratch_folder.string())
      .limit(limits);
  if (!settings.python) policy.execute(settings.program.string());
  if (settings.cuda_device) {
    sandbox::admit_gpu(policy, settings.cupti, settings.card);
    // Judge and runner must mean the same device by one number.
    if (const char* order = std::getenv("CUDA_DEVICE_ORDER"); order != nullptr)
      policy.env("CUDA_DEVICE_ORDER", order);
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (!settings.visible_gpu.empty())
      policy.env("CUDA_VISIBLE_DEVICES", settings.visible_gpu);
    else if (visible != nullptr)
      policy.env("CUDA_VISIBLE_DEVICES", visible);
  }
  if (settings.python) admit_python(policy, *settings.python);
  if (settings.python && !settings.compiles) refuse_compilers(policy);
  if (settings.compiles) {
    const auto cache =
        settings.scratch_parent / "compiled";  // one for all, since much of what is compiled is the same
    std::filesystem::create_directories(cache);
    admit_compilers(policy, *settings.python, cache.string());
  }
  return policy;
}

std::vector<std::string> runner_command(const RunnerSettings& settings) {
  if (settings.python) return python_words(settings);
  std::vector<std::string> words{settings.program.string()};
  if (settings.cuda_device) words.push_back("cuda:" + std::to_string(*settings.cuda_device));
  if (settings.cupti) words.push_back(std::string(runner::kCountersWord) + settings.cupti->string());
  return words;
}

}  // namespace ridgeline::judge
