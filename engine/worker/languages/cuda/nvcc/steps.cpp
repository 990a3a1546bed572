#include "engine/worker/languages/cuda/nvcc/steps.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "engine/worker/languages/cuda/nvcc/script.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::nvcc {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKnownFlags = 64;  // flags may differ from candidate to candidate

std::shared_ptr<const Plan> planned(const languages::Workshop& workshop,
                                    const languages::CudaToolchain& toolchain, const Steps::Flags& flags) {
  const auto scratch = workshop.scratch();
  scratch.write("kernel.cu", "");  // of a file that is not there nvcc names no full path
  auto policy = languages::nvcc_policy(toolchain, workshop.settings().isolation, scratch.path().string());
  policy.limits = workshop.settings().limits;
  std::vector<std::string> words = {toolchain.program, "--dryrun", "--keep"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(),
               {"kernel.cu", std::string{kTrampolineWord}, "-o", std::string{languages::kLibraryFile}});
  const auto exit = sandbox::spawn(policy, words).wait();
  auto plan = exit.ok() ? parse_dryrun(exit.err, scratch.path().string()) : std::nullopt;
  return plan ? std::make_shared<const Plan>(std::move(*plan)) : nullptr;
}

/// Made here: nothing in the sandbox may make one.
bool make_pipes(const languages::BuildScratch& scratch) {
  fs::create_directory(scratch.file(kStubPipe).parent_path());
  for (const auto pipe : {kStubPipe, kFatbinPipe})
    if (::mkfifo(scratch.file(pipe).c_str(), 0600) != 0) return false;
  return true;
}

}  // namespace

Steps::Known Steps::count(const languages::Workshop& workshop, const languages::CudaToolchain& toolchain,
                          const Flags& flags, int builds) {
  {
    const std::lock_guard lock{mutex_};
    if (const auto known = known_.find(flags); known != known_.end())
      return known->second.builds += builds, known->second;
  }
  Known made{planned(workshop, toolchain, flags), builds};
  const std::lock_guard lock{mutex_};
  if (known_.size() >= kKnownFlags) known_.clear();
  return known_.insert_or_assign(flags, std::move(made)).first->second;
}

bool Steps::read_ahead(const languages::Workshop& workshop, const languages::CudaToolchain& toolchain,
                       const Flags& flags) {
  const auto known = count(workshop, toolchain, flags, 0);
  return known.plan &&
         (find_headers(workshop, toolchain, *known.plan) || make_headers(workshop, toolchain, *known.plan));
}

std::optional<sandbox::ConfinedExit> Steps::build(const languages::Workshop& workshop,
                                                  const languages::CudaToolchain& toolchain,
                                                  const Flags& flags, const languages::BuildScratch& scratch,
                                                  const fs::path& trampoline, const Hash& id) {
  const auto known = count(workshop, toolchain, flags, 1);
  if (!known.plan) return std::nullopt;
  auto headers = find_headers(workshop, toolchain, *known.plan);
  if (!headers && known.builds == 2) headers = make_headers(workshop, toolchain, *known.plan);
  if (headers && !make_pipes(scratch)) headers.reset();

  auto policy = languages::nvcc_policy(toolchain, workshop.settings().isolation, scratch.path().string());
  policy.read(trampoline.string());
  if (headers) policy.read(headers->folder.string());
  const auto module_id = fmt::format("_{}_9_kernel_cu_{}", id.substr(0, 8), id.substr(8, 8));
  return workshop.start(
      std::move(policy), scratch,
      {"/bin/sh", "-c",
       headers ? script_with_headers(*known.plan, headers->host_bytes) : script_without_headers(*known.plan),
       "sh", trampoline.string(), module_id, headers ? headers->folder.string() : ""});
}

}  // namespace ridgeline::nvcc
