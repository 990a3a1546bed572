#include "engine/submissions/confinement.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "engine/worker/languages/program_search.hpp"
#include "engine/worker/sandbox/gpu_policy.hpp"

namespace ridgeline::submissions {
namespace {

constexpr std::uint64_t kOfSubmissionGiB = std::uint64_t{1} << 30;

/// Resident memory and files. KernelBench-X's scripts have no limits: these are for what would take the
/// machine with it.
sandbox::Limits submission_limits() {
  sandbox::Limits limits;
  limits.resident = 32 * kOfSubmissionGiB;
  limits.file_size = 4 * kOfSubmissionGiB;
  limits.open_files = 1024;
  limits.processes = 512;  // compilers, and threads of libraries
  limits.output = kOfSubmissionGiB / 16;
  limits.kept_output = 4096;
  return limits;
}

}  // namespace

sandbox::Policy policy_for(const LaneSettings& settings, const std::filesystem::path& folder) {
  sandbox::Policy policy;
  policy.isolated(settings.isolation)
      .with_profile(sandbox::SeccompProfile::compiler)
      .with_proc(sandbox::ProcAccess::read)
      .system_programs()
      .execute(settings.python.program)
      .read(settings.clone.string())
      .write(folder.string())
      .in(folder.string())
      .limit(submission_limits());
  // Executable: ptxas lies in Triton's package.
  for (const auto& packages : settings.python.folders)
    policy.add({.path = packages, .use = sandbox::PathUse::execute, .optional = true});
  for (const char* facts : {"/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"})
    policy.add({.path = facts, .optional = true});
  policy.env("PATH", "/usr/local/bin:/usr/bin:/bin")
      .env("HOME", folder.string())
      .env("TMPDIR", folder.string())
      .env("USER", "ridgeline")  // else the name is looked for in a list of users that is not there
      .env("LC_ALL", "C.UTF-8")
      .env("PYTHONNOUSERSITE", "1")
      .env("TRITON_CACHE_DIR", (folder / "triton").string())
      .env("TORCHINDUCTOR_CACHE_DIR", (folder / "inductor").string());
  for (const char* threads : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    policy.env(threads, "1");  // threads do not survive a fork
  if (settings.cuda) {
    sandbox::admit_gpu(policy, std::nullopt);
    policy.env("CUDA_VISIBLE_DEVICES", std::to_string(settings.device));
  }
  return policy;
}

}  // namespace ridgeline::submissions
