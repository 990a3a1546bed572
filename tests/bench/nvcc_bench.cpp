// The `nvcc` figures: seconds from a CUDA source to its library, one build at a time, with nvcc's steps run
// side by side over headers read ahead, and with nvcc itself.
//
//   bench-nvcc [ROUNDS]
//   bench-nvcc --short      one round of one kernel
//
// Sources that no cache has seen, in a cache of its own. Prints a JSON line a kernel and way.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "benchmark_tasks/suite.hpp"
#include "engine/core/error.hpp"
#include "engine/core/statistics.hpp"
#include "engine/worker/languages/cuda/cuda_compiler.hpp"
#include "tests/bench/needs_nvcc.hpp"
#include "tests/bench/short_form.hpp"

namespace ridgeline {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Where the sources were built, unless the environment says that they were carried elsewhere.
fs::path sources() {
  const char* const carried = std::getenv("RIDGELINE_SOURCE_DIR");
  return carried != nullptr ? carried : RIDGELINE_SOURCE_DIR;
}

/// An nvcc that tells no plan, so that it has to run its steps itself.
languages::CudaToolchain without_plan(languages::CudaToolchain toolchain, const fs::path& folder) {
  fs::create_directory(folder);
  const auto program = folder / "nvcc";
  std::ofstream{program} << "#!/bin/sh\ncase \" $* \" in *' --dryrun '*) exit 1 ;; esac\nexec '"
                         << toolchain.program << "' \"$@\"\n";
  fs::permissions(program, fs::perms::owner_all);
  toolchain.roots.push_back(folder.string());
  toolchain.program = program.string();
  return toolchain;
}

struct Times {
  std::vector<double> wall, cpu;
};

void build(const languages::CudaCompiler& compiler, const Task& task, const std::string& source, int round,
           Times& times) {
  const auto text =
      source + "\nextern \"C\" const int ridgeline_bench_variant = " + std::to_string(round) + ";\n";
  const auto start = Clock::now();
  const auto result = compiler.build(task, make_candidate(Language::cuda, text));
  times.wall.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  if (const auto* failure = std::get_if<languages::BuildFailure>(&result))
    throw BadInput(task.name + ": " + failure->log);
  times.cpu.push_back(std::get<languages::BuildArtefact>(result).cpu_seconds);
}

void report(const std::string& what, const Times& times) {
  fmt::print(R"({{"figure": "{}", "value": {:.3f}, "unit": "s", "least": {:.3f}, "cpu_seconds": {:.3f}}})"
             "\n",
             what, median(times.wall), *std::ranges::min_element(times.wall), median(times.cpu));
  std::fflush(stdout);
}

void measure(int rounds, const std::vector<std::string>& tasks, const fs::path& folder) {
  const auto isolation = sandbox::best_level(sandbox::probe_isolation());
  const auto host = languages::find_toolchain(isolation);
  const auto nvcc = host ? languages::find_nvcc(isolation, *host) : std::nullopt;
  if (!nvcc) throw MachineCannot(languages::no_nvcc);
  const auto settings = [&](const char* cache) {
    return languages::BuildSettings{folder / cache, isolation, languages::default_cuda_build_limits()};
  };
  const languages::CudaCompiler steps{*nvcc, settings("steps")},
      whole{without_plan(*nvcc, folder / "silent"), settings("whole")};
  const auto start = Clock::now();
  const bool ahead = steps.warm_up();
  report(ahead ? "headers read ahead" : "headers not read ahead",
         {{std::chrono::duration<double>(Clock::now() - start).count()}, {0}});
  auto suite = benchmark_tasks::load_native(sources() / "benchmark_tasks");
  for (auto& loaded : suite.tasks) {
    const auto task = on_backend(std::move(loaded), "cuda");
    if (std::ranges::find(tasks, task.name) == tasks.end()) continue;
    std::ifstream file{sources() / "tests/benchmark_tasks/kernels" / (task.name + ".cu")};
    const std::string source{std::istreambuf_iterator<char>{file}, {}};
    Times by_steps, by_nvcc;
    for (int round = 0; round < rounds; ++round) {
      build(steps, task, source, round, by_steps);
      build(whole, task, source, round, by_nvcc);
    }
    report("steps, " + task.name, by_steps);
    report("nvcc, " + task.name, by_nvcc);
  }
}

}  // namespace
}  // namespace ridgeline

int main(int count, char** arguments) try {
  const bool brief = ridgeline::bench::take_short(count, arguments);
  if (brief && ridgeline::bench::skipped_without_nvcc()) return 0;
  std::string pattern = (std::filesystem::temp_directory_path() / "ridgeline-bench-nvcc-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw ridgeline::MachineCannot("cannot make a folder in the temporary folder");
  std::vector<std::string> tasks{"softmax"};
  if (!brief) tasks.insert(tasks.end(), {"matmul_bf16", "attention"});
  ridgeline::measure(count > 1 ? std::atoi(arguments[1]) : brief ? 1 : 9, tasks, pattern);
  std::filesystem::remove_all(pattern);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "bench-nvcc: " << error.what() << '\n';
  return 3;
}
