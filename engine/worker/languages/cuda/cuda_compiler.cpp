#include "engine/worker/languages/cuda/cuda_compiler.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/core/hash.hpp"
#include "engine/worker/languages/candidate_log.hpp"
#include "engine/worker/languages/cuda/relocatable.hpp"
#include "engine/worker/languages/flags/cuda_architecture.hpp"
#include "engine/worker/languages/flags/refused_flag.hpp"
#include "engine/worker/languages/ptxas_log.hpp"
#include "engine/worker/languages/trampoline.hpp"

namespace ridgeline::languages {
namespace {

std::string in_lines(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "\n"));
}

/// Returns the flags that every library is built with; they are part of its key.
std::vector<std::string> fixed_cuda_flags(const Toolchain& host, bool relocatable) {
  std::vector<std::string> flags = {"-shared",
                                    "-lineinfo",  // places for faults and profilers, at no cost at run time
                                    "-Xptxas=-v",      "-Xcudafe=--error_limit=20", "-Xcompiler=-fPIC,-pipe",
                                    "-Xlinker=-z,defs"};  // unresolved names fail here and not in the runner
  if (!relocatable) flags.push_back("-nodlink");  // one translation unit: there is no device code to link
  if (host.gold) flags.push_back("-Xcompiler=-fuse-ld=gold");
  return flags;
}

}  // namespace

sandbox::Limits default_cuda_build_limits() {
  sandbox::Limits limits = default_build_limits();
  limits.address_space = std::uint64_t{8} << 30;
  limits.processes = 64;
  limits.cpu_seconds = 60;
  limits.wall_seconds = 120;
  return limits;
}

CudaCompiler::CudaCompiler(CudaToolchain toolchain, BuildSettings settings)
    : toolchain_(std::move(toolchain)),
      workshop_(std::move(settings)),
      steps_(std::make_unique<nvcc::Steps>()),
      device_link_(std::make_unique<DeviceLink>()) {}

std::vector<std::string> CudaCompiler::words(const std::vector<std::string>& flags) const {
  std::vector<std::string> words = {"-ccbin", toolchain_.host.program};
  for (const auto& group : {for_nvcc(flags), fixed_cuda_flags(toolchain_.host, names_relocatable(flags))})
    words.insert(words.end(), group.begin(), group.end());
  return words;
}

bool CudaCompiler::warm_up(const std::vector<std::string>& flags) const {
  return !first_forbidden_cuda(flags) && steps_->read_ahead(workshop_, toolchain_, words(flags));
}

sandbox::ConfinedExit CudaCompiler::run(const BuildScratch& scratch, const std::vector<std::string>& flags,
                                        const std::filesystem::path& trampoline, const Hash& key) const {
  auto arguments = words(flags);
  if (auto exit = steps_->build(workshop_, toolchain_, arguments, scratch, trampoline, key))
    return std::move(*exit);
  auto policy = nvcc_policy(toolchain_, workshop_.settings().isolation, scratch.path().string());
  policy.read(trampoline.string());
  arguments.insert(arguments.begin(), toolchain_.program);
  arguments.insert(arguments.end(), {std::string{source_file(Language::cuda)}, trampoline.string(), "-o",
                                     std::string{kLibraryFile}});
  return workshop_.start(std::move(policy), scratch, arguments);
}

BuildResult CudaCompiler::compile(const Task& task, const Candidate& candidate, const std::string& text,
                                  const std::filesystem::path& trampoline,
                                  const std::vector<std::string>& flags, const Hash& key) const {
  const auto scratch = workshop_.scratch();
  scratch.write(source_file(Language::cuda), text);
  sandbox::ConfinedExit exit = run(scratch, flags, trampoline, key);
  auto ptxas = parse_ptxas(exit.err);
  exit.err = std::move(ptxas.rest);
  if (!exit.ok()) {
    exit.err = of_candidate(exit.err, task, Language::cuda, candidate.source);
    auto failure = classify_build(exit, workshop_.settings().limits, task, Language::cuda);
    failure.detail = with_architecture_hint(std::move(failure.detail));
    failure.flags = flags;
    return failure;
  }
  BuildArtefact made;
  made.cpu_seconds = exit.cpu_seconds;
  made.log = std::move(exit.err);
  made.flags = flags;
  made.resources = std::move(ptxas.kernels);
  return workshop_.keep(scratch, key, std::move(made));
}

BuildResult CudaCompiler::build(const Task& task, const Candidate& candidate,
                                const std::vector<std::string>& asked) const {
  const auto flags = with_architecture(asked, default_cuda_architecture);
  if (candidate.language != Language::cuda)
    return BuildFailure{
        Reason::unsupported, fmt::format("nvcc builds no {}", to_string(candidate.language)), {}, flags};
  if (const auto bad = first_forbidden_cuda(flags))
    return BuildFailure{Reason::forbidden_flag, refusal_of(*bad, true), {}, flags};

  const std::string text = with_signature_check(task, Language::cuda, candidate.source);
  const auto key_with = [&](const std::vector<std::string>& chosen) {
    return sha256_of({text, trampoline_source(task, Language::cuda), in_lines(for_nvcc(chosen)),
                      in_lines(fixed_cuda_flags(toolchain_.host, names_relocatable(chosen))),
                      toolchain_.fingerprint});
  };
  const auto relocatable = with_relocatable(flags);
  for (const auto& chosen : {flags, relocatable})
    if (auto built = workshop_.built_before(key_with(chosen), chosen)) return std::move(*built);

  const auto trampoline = workshop_.trampoline(toolchain_.host, task, Language::cuda);
  auto failed = compile(task, candidate, text, trampoline.path, flags, key_with(flags));
  const auto* failure = std::get_if<BuildFailure>(&failed);
  if (!failure) return failed;
  if (names_relocatable(flags)) return blamed(std::move(failed));
  if (!asks_for_relocatable(failure->log)) return failed;
  return blamed(compile(task, candidate, text, trampoline.path, relocatable, key_with(relocatable)));
}

BuildResult CudaCompiler::blamed(BuildResult result) const {
  if (auto* failure = std::get_if<BuildFailure>(&result);
      failure && may_lack_device_link(failure->log) && device_link_->lacking(workshop_, toolchain_)) {
    failure->reason = Reason::compiler_missing;
    failure->detail = no_device_link;
  }
  return result;
}

}  // namespace ridgeline::languages
