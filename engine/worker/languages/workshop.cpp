#include "engine/worker/languages/workshop.hpp"

#include <utility>

#include "engine/core/error.hpp"
#include "engine/worker/languages/library_facts.hpp"
#include "engine/worker/languages/trampoline.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::languages {

namespace fs = std::filesystem;

sandbox::Limits default_build_limits() {
  constexpr std::uint64_t mib = 1024 * 1024;
  sandbox::Limits limits;
  limits.address_space = 3072 * mib;
  limits.file_size = 256 * mib;
  limits.open_files = 256;
  limits.processes = 32;
  limits.cpu_seconds = 20;
  limits.wall_seconds = 60;
  // A compiler reads files and computes. A source that makes it wait (a pipe, a device) would hold a builder
  // to the end of its wall limit; a cold disk or a busy machine lets it compute now and then.
  limits.idle_seconds = 20;
  limits.output = 16 * mib;
  limits.kept_output = 256 * 1024;
  return limits;
}

namespace {

void erase_all(std::string& text, const std::string& part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
}

}  // namespace

Workshop::Workshop(BuildSettings settings)
    : settings_(std::move(settings)),
      cache_(std::make_unique<BuildCache>(settings_.cache, settings_.cache_limit)) {
  settings_.cache = cache_->folder();
}

sandbox::ConfinedExit Workshop::run(const Toolchain& host, const BuildScratch& scratch,
                                    std::vector<std::string> arguments,
                                    const std::vector<fs::path>& readable) const {
  auto policy = compiler_policy(host, settings_.isolation, scratch.path().string());
  for (const auto& path : readable) policy.read(path.string());
  arguments.insert(arguments.begin(), {host.program, "-pipe", "-fPIC", "-fno-semantic-interposition"});
  return start(std::move(policy), scratch, arguments);
}

sandbox::ConfinedExit Workshop::start(sandbox::Policy policy, const BuildScratch& scratch,
                                      const std::vector<std::string>& words) const {
  policy.limits = settings_.limits;
  auto exit = sandbox::spawn(policy, words).wait();
  exit.err = without_paths(std::move(exit.err), scratch);
  return exit;
}

std::string Workshop::without_paths(std::string said, const BuildScratch& scratch,
                                    const std::vector<fs::path>& others) const {
  for (const auto& folder : others) erase_all(said, folder.string() + '/');
  erase_all(said, scratch.path().string() + '/');
  erase_all(said, settings_.cache.string() + '/');
  return said;
}

Workshop::Object Workshop::trampoline(const Toolchain& host, const Task& task, Language language) const {
  const std::string text = trampoline_source(task, language);
  const fs::path object = settings_.cache / ("trampoline-" + sha256_of({text, host.fingerprint}) + ".o");
  if (auto hold = cache_->hold(object)) return {object, std::move(hold)};
  const BuildScratch scratch{settings_.cache};
  scratch.write("trampoline.cpp", text);
  const auto exit = run(host, scratch, {"-std=gnu++20", "-O2", "-c", "trampoline.cpp", "-o", "trampoline.o"});
  if (!exit.ok())
    throw MachineCannot("the trampoline of task " + task.name + " did not compile (" +
                        sandbox::describe(exit) + "): " + exit.err.substr(0, 500));
  return {object, cache_->keep(scratch.file("trampoline.o"), object)};
}

std::optional<BuildArtefact> Workshop::built_before(const Hash& key,
                                                    const std::vector<std::string>& flags) const {
  BuildArtefact artefact;
  artefact.library = settings_.cache / (key + ".so");
  artefact.hold = cache_->hold(artefact.library);
  if (!artefact.hold) return std::nullopt;
  artefact.bytes = fs::file_size(artefact.library);
  artefact.cached = true;
  artefact.flags = flags;
  artefact.resources = read_facts(artefact.library);
  return artefact;
}

BuildArtefact Workshop::keep(const BuildScratch& scratch, const Hash& key, BuildArtefact made) const {
  const auto file = scratch.file(kLibraryFile);
  if (!made.resources.empty()) append_facts(file, made.resources);
  made.library = settings_.cache / (key + ".so");
  made.bytes = fs::file_size(file);
  made.hold = cache_->keep(file, made.library);
  return made;
}

}  // namespace ridgeline::languages
