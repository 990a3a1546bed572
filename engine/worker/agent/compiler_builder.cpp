#include "engine/worker/agent/compiler_builder.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/worker/languages/registry/registry.hpp"

namespace ridgeline::agent {
namespace {

BuildOutcome outcome_of(languages::BuildArtefact artefact) {
  BuildOutcome outcome;
  outcome.built = true;
  outcome.artefact = artefact.library.string();
  // Without it the cache could remove the artefact before a judge has loaded it.
  outcome.hold = std::move(artefact.hold);
  outcome.detail = artefact.cached ? "from the cache" : std::move(artefact.note);
  outcome.log = std::move(artefact.log);
  outcome.flags = std::move(artefact.flags);
  outcome.resources = std::move(artefact.resources);
  return outcome;
}

BuildOutcome outcome_of(languages::BuildFailure failure) {
  BuildOutcome outcome;
  const bool machine_fault =
      failure.reason == Reason::compiler_missing || failure.reason == Reason::unsupported;
  outcome.status = machine_fault ? Status::unavailable : Status::failed;
  outcome.reason = failure.reason;
  outcome.detail = std::move(failure.detail);
  outcome.log = std::move(failure.log);
  outcome.flags = std::move(failure.flags);
  return outcome;
}

/// Returns the outcome for a machine that failed (a full disk). The candidate is not at fault, so the status
/// is `unavailable` and the same request may be built later.
BuildOutcome machine_failure(const std::string& why) {
  BuildOutcome outcome;
  outcome.status = Status::unavailable;
  outcome.reason = Reason::judge_failed;
  outcome.detail = why;
  return outcome;
}

/// Makes a folder of this user below the temporary folder, where every user can make folders: one that
/// somebody else could have made or may write to would have that user's libraries loaded here.
std::filesystem::path own_folder_among_temporary_ones() {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("ridgeline-builds-{}", ::geteuid());
  constexpr const char* fix = "fix: set HOME or XDG_CACHE_HOME, or name a folder with --cache";
  struct stat facts{};
  if ((::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) || ::lstat(folder.c_str(), &facts) != 0)
    throw MachineCannot(fmt::format("cannot make the folder {} for builds ({}); {}", folder.string(),
                                    std::strerror(errno), fix));
  if (!S_ISDIR(facts.st_mode) || facts.st_uid != ::geteuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw MachineCannot(fmt::format(
        "{} is no folder that this user alone can write to, so builds in it cannot be trusted; {}",
        folder.string(), fix));
  return folder;
}

}  // namespace

CompilerBuilder::CompilerBuilder(languages::MachineTools tools, std::filesystem::path python_runner,
                                 std::filesystem::path cache, std::uint64_t cache_limit,
                                 sandbox::Isolation level, std::function<void(std::string)> log)
    : tools_(std::move(tools)),
      python_runner_(std::move(python_runner)),
      cache_(std::move(cache)),
      cache_limit_(cache_limit),
      level_(level),
      log_(std::move(log)) {}

void CompilerBuilder::build_for(std::string cuda_architecture) {
  const std::lock_guard lock(architecture_mutex_);
  cuda_architecture_ = std::move(cuda_architecture);
}

languages::BuilderMeans CompilerBuilder::context_at(sandbox::Isolation level) {
  languages::BuildSettings settings;
  settings.cache = cache_;
  settings.cache_limit = cache_limit_;
  settings.isolation = level;
  // A function, because the device is known only after the builder for headers has been made.
  const auto architecture = [this] {
    const std::lock_guard lock(architecture_mutex_);
    return cuda_architecture_;
  };
  return {tools_, std::move(settings), python_runner_, architecture, log_};
}

const languages::LanguageBuilder* CompilerBuilder::builder_at(sandbox::Isolation level, Language language) {
  const auto& support = languages::support_of(language);
  if (!support.missing(tools_).empty()) return nullptr;
  // Held while a builder is made: two threads must not make the same one.
  const std::lock_guard lock(mutex_);
  auto found = by_level_.find(level);
  if (found == by_level_.end()) found = by_level_.emplace(level, LevelBuilders{context_at(level), {}}).first;
  auto& builders = found->second.builders;
  if (const auto known = builders.find(language); known != builders.end()) return known->second.get();
  auto made = support.make_builder(found->second.means);  // may throw, in which case the map has no entry
  return builders.emplace(language, std::move(made)).first->second.get();
}

void CompilerBuilder::in_each(void (languages::LanguageBuilder::*work)() const, std::string_view otherwise) {
  for (const auto* support : languages::registry()) {
    try {
      if (const auto* builder = builder_at(level_, support->language())) (builder->*work)();
    } catch (const std::exception& error) {  // no reason to leave out the other languages
      log_(fmt::format("{}: {}: {}", to_string(support->language()), otherwise, error.what()));
    }
  }
}

void CompilerBuilder::warm_up() {
  in_each(&languages::LanguageBuilder::warm_up, "headers are not read ahead, builds will be slower");
}

void CompilerBuilder::expect_modules() {
  in_each(&languages::LanguageBuilder::expect_modules,
          "the reader of answers in torch was not started ahead, the first will be slower");
}

void CompilerBuilder::wind_down() {
  const std::lock_guard lock(mutex_);
  for (const auto& [level, confined] : by_level_)
    for (const auto& [language, builder] : confined.builders) builder->wind_down();
}

languages::BuildResult CompilerBuilder::build_at(sandbox::Isolation level,
                                                 const protocol::Evaluate& request) {
  const auto language = request.candidate.language;
  if (const auto* builder = builder_at(level, language)) return builder->build(request);
  return languages::BuildFailure{Reason::compiler_missing,
                                 languages::support_of(language).missing(tools_),
                                 {},
                                 request.settings.build_flags};
}

BuildOutcome CompilerBuilder::build(const protocol::Evaluate& request) {
  const auto started = std::chrono::steady_clock::now();
  BuildOutcome outcome;
  try {
    // The agent has checked the name; the fallback only keeps this function total.
    const auto level = from_name<sandbox::Isolation>(request.settings.isolation).value_or(level_);
    auto result = build_at(level, request);
    outcome = std::visit([](auto& content) { return outcome_of(std::move(content)); }, result);
  } catch (const std::exception& error) {  // a full disk, a sandbox that could not be made
    outcome = machine_failure(error.what());
  }
  const auto& support = languages::support_of(request.candidate.language);
  if (support.missing(tools_).empty()) outcome.compiler = support.compiler(tools_);
  // Includes the wait for the cache and the sandbox, since that is what a request waits.
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return outcome;
}

std::filesystem::path default_build_cache() {
  // Relative paths in these variables are invalid (XDG Base Directory Specification).
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::filesystem::path(cache) / "ridgeline/builds";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::filesystem::path(home) / ".cache/ridgeline/builds";
  return own_folder_among_temporary_ones();
}

}  // namespace ridgeline::agent
