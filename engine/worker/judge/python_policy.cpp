#include "engine/worker/judge/python_policy.hpp"

#include "engine/worker/runner/counting.hpp"
#include "engine/worker/runner/python/start.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::uint64_t kOpenFiles = 256;  // an import opens hundreds, few at a time

}  // namespace

void admit_python(Policy& policy, const PythonProgram& python) {
  // An import tries what it may not, and copes. The lockdown that comes before the candidate does not ask.
  if (policy.profile == SeccompProfile::runner_loading) policy.with_profile(SeccompProfile::compiler);
  policy.limits.open_files = kOpenFiles;
  policy.execute(python.program.string()).read(python.library.string());
  for (const auto& folder : python.folders) policy.add({.path = folder.string(), .optional = true});
  // Torch asks here which vector units there are, and computes without them where it may not look.
  for (const char* facts : {"/proc/cpuinfo", "/sys/devices/system/cpu"})
    policy.add({.path = facts, .use = PathUse::read, .optional = true});
  policy
      .env("HOME", "/")  // where nothing is to be found, and no look into the list of users is needed
      .env("LC_ALL", "C.UTF-8")
      .env("PYTHONNOUSERSITE", "1")  // said by -I and -B too
      .env("PYTHONDONTWRITEBYTECODE", "1");
  for (const char* threads : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    policy.env(threads, "1");
}

std::vector<std::string> python_words(const PythonProgram& python, std::optional<int> device,
                                      const std::optional<std::filesystem::path>& cupti) {
  std::vector<std::string> words{python.program.string(), "-I", "-B", "-c", runner::python::kStart,
                                 python.library.string()};
  if (device) words.push_back("cuda:" + std::to_string(*device));
  if (device && cupti) words.push_back(std::string(runner::kCountersWord) + cupti->string());
  return words;
}

}  // namespace ridgeline::judge
