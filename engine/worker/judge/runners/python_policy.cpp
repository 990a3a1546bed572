#include "engine/worker/judge/runners/python_policy.hpp"

#include "engine/worker/runner/counting.hpp"
#include "engine/worker/runner/python/start.hpp"

namespace ridgeline::judge {
namespace {

constexpr const char* kSystemPrograms = "/usr/local/bin:/usr/bin:/bin";
constexpr const char* kUser = "ridgeline";
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30,
                        kProcesses = 128;  // of what torch.compile makes
constexpr std::uint64_t kOpenFiles = 256;  // an import opens hundreds, few at a time

}  // namespace

void admit_python(sandbox::Policy& policy, const PythonProgram& python) {
  // An import tries what it may not, and copes. The lockdown that comes before the candidate does not ask.
  if (policy.profile == sandbox::SeccompProfile::runner_loading)
    policy.with_profile(sandbox::SeccompProfile::compiler);
  policy.limits.open_files = kOpenFiles;
  policy.execute(python.program.string()).read(python.library.string());
  for (const auto& folder : python.folders) policy.add({.path = folder.string(), .optional = true});
  // Torch asks here which vector units there are, and computes without them where it may not look.
  for (const char* facts : {"/proc/cpuinfo", "/sys/devices/system/cpu"})
    policy.add({.path = facts, .use = sandbox::PathUse::read, .optional = true});
  policy
      .env("HOME", "/")  // where nothing is to be found, and no look into the list of users is needed
      .env("LC_ALL", "C.UTF-8")
      .env("PYTHONNOUSERSITE", "1")  // said by -I and -B too
      .env("PYTHONDONTWRITEBYTECODE", "1")
      // Else an answer that uses CuPy fails where it would keep its kernels: in a folder that it makes if it
      // is not there.
      .env("CUPY_CACHE_IN_MEMORY", "1")
      .env("CUPY_CACHE_DIR", "/");
  for (const char* threads : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    policy.env(threads, "1");
}

void refuse_compilers(sandbox::Policy& policy) {
  // Torch imports its compiler for much that compiles nothing: a custom operator, a dispatch mode,
  // torch.use_deterministic_algorithms, torch.compiler.disable, checkpointing. The import makes a folder for
  // a cache, named by the user unless a variable names it, and goes on if the folder is there: `/` is.
  policy.env("USER", kUser).env("TORCHINDUCTOR_CACHE_DIR", "/");
}

void admit_compilers(sandbox::Policy& policy, const PythonProgram& python, const std::string& folder) {
  policy.system_programs().write(folder).in(folder);
  policy.limits.file_size = kLargestFile;
  policy.limits.processes = kProcesses;
  if (policy.proc == sandbox::ProcAccess::none) policy.with_proc(sandbox::ProcAccess::read);
  for (const auto& packages : python.folders)
    policy.add({.path = packages.string(), .use = sandbox::PathUse::execute, .optional = true});
  policy.env("PATH", kSystemPrograms)
      .env("USER", kUser)  // else the name is looked for in a list of users that is not there
      .env("TMPDIR", folder)
      .env("TORCHINDUCTOR_CACHE_DIR", folder + "/inductor")
      .env("TRITON_CACHE_DIR", folder + "/triton")
      // Its pool of workers would stay beside what is timed.
      .env("TORCHINDUCTOR_COMPILE_THREADS", "1")
      // A CPU's vector units are those that it says it has, not those that ten further interpreters try out.
      .env("TORCHINDUCTOR_VEC_ISA_OK", "1");
}

std::vector<std::string> python_words(const RunnerSettings& settings) {
  const auto& python = settings.python.value();
  std::vector<std::string> words{python.program.string(), "-I", "-B", "-c", runner::python::kStart,
                                 python.library.string()};
  if (settings.cuda_device) {
    words.push_back("cuda:" + std::to_string(*settings.cuda_device));
    if (settings.cupti) words.push_back(std::string(runner::kCountersWord) + settings.cupti->string());
  }
  if (settings.compiles) words.emplace_back("unlocked");
  return words;
}

}  // namespace ridgeline::judge
