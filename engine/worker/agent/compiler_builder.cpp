#include "engine/worker/agent/compiler_builder.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

namespace ridgeline::agent {
namespace {

BuildOutcome outcome_of(languages::BuildArtefact artefact) {
  BuildOutcome outcome;
  outcome.built = true;
  outcome.artefact = artefact.library.string();
  outcome.hold = std::move(artefact.hold);
  outcome.detail = artefact.cached ? "from the cache" : std::move(artefact.note);
  outcome.log = std::move(artefact.log);
  outcome.flags = std::move(artefact.flags);
  outcome.resources = std::move(artefact.resources);
  return outcome;
}

BuildOutcome outcome_of(languages::BuildFailure failure) {
  BuildOutcome outcome;
  const bool not_its_fault =
      failure.reason == Reason::compiler_missing || failure.reason == Reason::unsupported;
  outcome.status = not_its_fault ? Status::unavailable : Status::failed;
  outcome.reason = failure.reason;
  outcome.detail = std::move(failure.detail);
  outcome.log = std::move(failure.log);
  outcome.flags = std::move(failure.flags);
  return outcome;
}

/// A full disk is no property of the request: the same one may be built later.
BuildOutcome could_not(const std::string& why) {
  BuildOutcome outcome;
  outcome.status = Status::unavailable;
  outcome.reason = Reason::judge_failed;
  outcome.detail = why;
  return outcome;
}

}  // namespace

CompilerBuilder::CompilerBuilder(Compilers compilers, std::filesystem::path cache, std::uint64_t cache_limit,
                                 sandbox::Isolation level, std::function<void(std::string)> log)
    : compilers_(std::move(compilers)),
      cache_(std::move(cache)),
      cache_limit_(cache_limit),
      level_(level),
      log_(std::move(log)) {}

void CompilerBuilder::build_for(std::string cuda_architecture) {
  const std::lock_guard lock(mutex_);
  cuda_architecture_ = std::move(cuda_architecture);
}

languages::BuildSettings CompilerBuilder::settings_at(sandbox::Isolation level) const {
  languages::BuildSettings settings;
  settings.cache = cache_;
  settings.cache_limit = cache_limit_;
  settings.isolation = level;
  return settings;
}

CompilerBuilder::Confined& CompilerBuilder::at(sandbox::Isolation level) {
  const std::lock_guard lock(mutex_);
  const auto found = confined_.find(level);
  if (found != confined_.end()) return found->second;
  auto settings = settings_at(level);
  Confined made{languages::Compiler(compilers_.cpp, settings), std::nullopt, std::nullopt};
  if (compilers_.cuda) {
    settings.limits = languages::default_cuda_build_limits();
    made.cuda.emplace(*compilers_.cuda, settings);
  }
  return confined_.emplace(level, std::move(made)).first->second;
}

const torch_answer::TorchBuilder* CompilerBuilder::torch_at(sandbox::Isolation level) {
  auto& confined = at(level);
  const std::lock_guard lock(mutex_);
  if (!confined.torch && compilers_.python) {
    const auto& python = *compilers_.python;
    auto extended = settings_at(level);
    extended.limits = torch_extension::default_extension_limits();
    confined.torch.emplace(
        python, settings_at(level),
        torch_answer::ModuleTools{
            compilers_.cuda
                ? torch_extension::ExtensionBuilder(*compilers_.cuda, extended, cuda_architecture_)
                : torch_extension::ExtensionBuilder(compilers_.cpp, extended),
            compilers_.python_runner, torch_extension::find_torch_headers(python.package, python.include),
            cuda_architecture_, [this](torch_slim::Build build, const std::string& error) {
              if (const auto line = misses_.count(build, error)) log_(*line);
            }});
  }
  return confined.torch ? &*confined.torch : nullptr;
}

void CompilerBuilder::warm_up() {
  try {
    const auto& confined = at(level_);
    confined.cpp.warm_up();
    if (confined.cuda) confined.cuda->warm_up();
  } catch (const std::exception& error) {
    log_(std::string("headers are not read ahead, builds will be slower: ") + error.what());
  }
}

void CompilerBuilder::expect_modules() {
  try {
    if (const auto* torch = torch_at(level_)) torch->warm_up();
  } catch (const std::exception& error) {
    log_(std::string("what reads answers in torch was not started ahead: ") + error.what());
  }
}

void CompilerBuilder::wind_down() {
  const std::lock_guard lock(mutex_);
  for (const auto& [level, confined] : confined_)
    if (confined.torch) confined.torch->wind_down();
  if (const auto summary = misses_.summary(); !summary.empty()) log_(summary);
}

languages::BuildResult CompilerBuilder::build_at(sandbox::Isolation level,
                                                 const protocol::Evaluate& request) {
  if (is_module(request.candidate.language)) {
    const auto* torch = torch_at(level);
    if (!torch) return languages::BuildFailure{Reason::compiler_missing, torch_answer::no_python, {}, {}};
    if (const auto mode = request.settings.torch_compile) return torch->reference(request.task, *mode);
    return torch->build(request.task, request.candidate, request.settings.torch_headers);
  }
  const auto& confined = at(level);
  const auto& asked = request.settings.build_flags;
  if (request.candidate.language != Language::cuda)
    return confined.cpp.build(request.task, request.candidate,
                              asked.empty() ? languages::default_flags() : asked);
  if (!confined.cuda) return languages::BuildFailure{Reason::compiler_missing, languages::no_nvcc, {}, asked};
  std::string architecture;
  {
    const std::lock_guard lock(mutex_);
    architecture = cuda_architecture_;
  }
  const auto flags = asked.empty() ? languages::default_cuda_flags(architecture)
                                   : languages::with_architecture(asked, architecture);
  return confined.cuda->build(request.task, request.candidate, flags);
}

std::string CompilerBuilder::compiler_of(Language language) const {
  if (language == Language::cuda && compilers_.cuda) return compilers_.cuda->version;
  if (is_module(language) && compilers_.python) {
    const auto& python = *compilers_.python;
    const auto triton = language == Language::triton ? ", triton " + python.triton_version : "";
    return "Python " + python.version + ", torch " + python.torch_version + triton;
  }
  return compilers_.cpp.version;
}

BuildOutcome CompilerBuilder::build(const protocol::Evaluate& request) {
  const auto started = std::chrono::steady_clock::now();
  BuildOutcome outcome;
  try {
    const auto level = from_name<sandbox::Isolation>(request.settings.isolation).value_or(level_);
    auto result = build_at(level, request);
    outcome = std::visit([](auto& one) { return outcome_of(std::move(one)); }, result);
  } catch (const std::exception& error) {  // a full disk, a sandbox that could not be made
    outcome = could_not(error.what());
  }
  outcome.compiler = compiler_of(request.candidate.language);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return outcome;
}

std::filesystem::path default_build_cache() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::filesystem::path(cache) / "ridgeline/builds";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::filesystem::path(home) / ".cache/ridgeline/builds";
  return std::filesystem::temp_directory_path() / "ridgeline-builds";
}

}  // namespace ridgeline::agent
