#include "tests/engine/worker/judge/builds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"
#include "engine/worker/languages/compiler.hpp"
#include "engine/worker/languages/cuda/cuda_compiler.hpp"

namespace ridgeline::judge {
namespace {

sandbox::Isolation isolation() {
  static const auto level = sandbox::best_level(sandbox::probe_isolation());
  return level;
}

/// Kept between runs: the cache's keys are hashes of all that goes into a library.
languages::BuildSettings settings() {
  return {.cache = std::filesystem::temp_directory_path() / "ridgeline-judge-tests",
          .isolation = isolation()};
}

const languages::Compiler& compiler() {
  static const languages::Compiler made = [] {
    const auto toolchain = languages::find_toolchain(isolation());
    if (!toolchain) throw std::runtime_error("no C++ compiler on this machine");
    return languages::Compiler(*toolchain, settings());
  }();
  return made;
}

const languages::CudaCompiler& cuda_compiler() {
  static const languages::CudaCompiler made = [] {
    const auto toolchain = languages::find_nvcc(isolation(), compiler().toolchain());
    if (!toolchain) throw std::runtime_error(languages::no_nvcc);
    auto with = settings();
    with.limits = languages::default_cuda_build_limits();
    return languages::CudaCompiler(*toolchain, with);
  }();
  return made;
}

const std::string& architecture() {
  static const auto name = []() -> std::string {
    try {
      const auto facts = cuda::device_facts(0);
      return fmt::format("sm_{}{}", facts.major, facts.minor);
    } catch (const MachineCannot&) {
      return languages::default_cuda_architecture;
    }
  }();
  return name;
}

}  // namespace

languages::BuildResult build(const Task& task, const Candidate& candidate) {
  if (candidate.language == Language::cuda)
    return cuda_compiler().build(task, candidate, languages::default_cuda_flags(architecture()));
  return compiler().build(task, candidate);
}

std::filesystem::path build_library(const Task& task, const std::string& source) {
  const auto result = build(task, make_candidate(Language::cpp, source));
  if (const auto* failure = std::get_if<languages::BuildFailure>(&result))
    throw std::runtime_error(failure->detail + "\n" + failure->log);
  return std::get<languages::BuildArtefact>(result).library;
}

void build_ahead(const std::vector<ToBuild>& all) {
  if (all.empty()) return;
  build(all.front().task, all.front().candidate);  // throws here, not in a thread, where there is no compiler
  std::atomic<std::size_t> next = 1;
  std::vector<std::jthread> builders;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    builders.emplace_back([&] {
      for (auto at = next++; at < all.size(); at = next++) build(all[at].task, all[at].candidate);
    });
}

}  // namespace ridgeline::judge
