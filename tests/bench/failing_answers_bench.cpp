// The `failing-answers` figures: how long an answer that does not compile waits for its verdict, with front
// ends that are kept ready and without, in one run.
//
//   bench-failing_answers ANSWERS.jsonl [FIRST [COUNT]]
//   bench-failing_answers --short      one answer that the slim headers refuse, in a temporary folder
//
// ANSWERS.jsonl: one answer a line, {"id", "source"}. Each is built twice, one at a time, by two builders
// with caches of their own that start empty but for what front ends are made of: first with front ends, then
// without. A JSON line an answer on stdout: both outcomes, seconds, and whether the first errors and the
// whole logs agree. Then the figures: medians over the answers that fail to compile. RIDGELINE_PYTHON names
// the interpreter; the exit status is 1 if an answer that builds without front ends was refused with them.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/worker/languages/torch_answer/torch_builder.hpp"
#include "tests/bench/needs_nvcc.hpp"
#include "tests/bench/short_form.hpp"

namespace ridgeline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Answer {
  std::string id, source;
};

struct Verdict {
  double seconds = 0;
  bool built = false;
  std::string reason, detail, log;
};

/// A folder of this run alone.
class Folder {
 public:
  Folder() {
    auto pattern = (fs::temp_directory_path() / "ridgeline-bench-failing-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw MachineCannot("cannot make the folder " + pattern);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Machine {
  sandbox::Isolation isolation = sandbox::best_level(sandbox::probe_isolation());
  languages::CudaToolchain nvcc;
  languages::PythonToolchain python;
  fs::path beside = fs::read_symlink("/proc/self/exe").parent_path();

  Machine() {
    const auto host = languages::find_toolchain(isolation);
    if (!host) throw MachineCannot("no C++ compiler was found");
    auto found = languages::find_nvcc(isolation, *host);
    if (!found) throw MachineCannot(languages::no_nvcc);
    nvcc = *std::move(found);
    auto interpreter = languages::find_python();
    if (const auto* none = std::get_if<languages::NoPython>(&interpreter)) throw MachineCannot(none->reason);
    python = std::get<languages::PythonToolchain>(std::move(interpreter));
  }

  languages::BuildSettings settings(const fs::path& cache) const {
    return {cache, isolation, torch_extension::default_extension_limits()};
  }

  torch_answer::TorchBuilder builder(const fs::path& cache,
                                     std::shared_ptr<front_ends::FrontEnds> ends) const {
    torch_answer::ModuleTools tools{torch_extension::ExtensionBuilder(nvcc, settings(cache)),
                                    beside / "libridgeline-python-runner.so",
                                    torch_extension::find_torch_headers(python.package, python.include)};
    tools.front_ends = std::move(ends);
    return {python, {cache, isolation}, std::move(tools)};
  }

  std::shared_ptr<front_ends::FrontEnds> front_ends(const fs::path& cache) const {
    auto torch = torch_extension::find_torch_headers(python.package, python.include);
    if (const auto* words = std::get_if<std::string>(&torch)) throw MachineCannot(*words);
    return std::make_shared<front_ends::FrontEnds>(
        front_ends::Tools{nvcc, languages::default_cuda_architecture, settings(cache),
                          std::get<torch_extension::TorchHeaders>(std::move(torch)),
                          beside / "libridgeline-held.so"},
        [](const std::string& line) { std::cerr << line << "\n"; });
  }
};

Task any_task() {
  Task task;
  task.name = "answer";
  task.cases.emplace_back();
  task.module.emplace();
  task.module->init_arguments = "[]";
  task.module->init_named = "{}";
  return task;
}

Verdict build(const torch_answer::TorchBuilder& builder, const std::string& source) {
  const auto start = std::chrono::steady_clock::now();
  const auto result = builder.build(any_task(), make_candidate(Language::torch, source));
  Verdict verdict;
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  verdict.built = std::holds_alternative<languages::BuildArtefact>(result);
  if (const auto* failure = std::get_if<languages::BuildFailure>(&result)) {
    verdict.reason = to_string(failure->reason);
    verdict.detail = failure->detail;
    verdict.log = failure->log;
  }
  return verdict;
}

std::vector<Answer> read_answers(const fs::path& path, std::size_t first, std::size_t count) {
  std::vector<Answer> answers;
  std::ifstream file(path);
  if (!file) throw MachineCannot("cannot read " + path.string());
  for (std::string line; std::getline(file, line);) {
    const auto text = json::parse(line);
    answers.push_back({text.at("id"), text.at("source")});
  }
  answers.erase(answers.begin(),
                answers.begin() + static_cast<std::ptrdiff_t>(std::min(first, answers.size())));
  if (answers.size() > count) answers.resize(count);
  return answers;
}

void print(const json& line) {
  std::cout << line.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const auto half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void figure(const char* name, double value, const char* unit, std::optional<double> goal = std::nullopt) {
  print({{"figure", name}, {"value", value}, {"unit", unit}, {"goal", goal ? json(*goal) : json()}});
}

/// Returns whether no answer that builds was refused.
bool compare(const Machine& machine, const std::vector<Answer>& answers, const fs::path& folder, bool warm) {
  const auto ends = machine.front_ends(folder / "with");
  if (warm)
    if (const auto off = ends->warm_up(); !off.empty()) throw MachineCannot("front ends are off: " + off);
  const auto with = machine.builder(folder / "with", ends);
  const auto without = machine.builder(folder / "without", nullptr);
  for (const auto* builder : {&with, &without}) builder->warm_up();
  std::vector<double> before, after;
  int wrongly = 0, same_detail = 0, same_log = 0, failed = 0;
  for (const auto& answer : answers) {
    const auto fast = build(with, answer.source), full = build(without, answer.source);
    json line = {{"answer", answer.id},
                 {"with_seconds", fast.seconds},
                 {"without_seconds", full.seconds},
                 {"with", fast.built ? "built" : fast.reason},
                 {"without", full.built ? "built" : full.reason}};
    if (full.built && !fast.built) ++wrongly;
    if (!full.built) {
      ++failed;
      before.push_back(full.seconds);
      after.push_back(fast.seconds);
      same_detail += fast.detail == full.detail;
      same_log += fast.log == full.log;
      line.update({{"same_error", fast.detail == full.detail}, {"same_log", fast.log == full.log}});
    }
    if (fast.detail != full.detail)
      line.update({{"with_error", fast.detail}, {"without_error", full.detail}});
    print(line);
  }
  ends->wind_down();
  figure("answers that fail to compile", failed, "answers");
  figure("median of a compile error with front ends", median(after), "s", 2);
  figure("median of a compile error without", median(before), "s");
  figure("longest with front ends", after.empty() ? 0 : std::ranges::max(after), "s");
  figure("longest without", before.empty() ? 0 : std::ranges::max(before), "s");
  figure("first errors that agree", same_detail, "answers", failed);
  figure("whole logs that agree", same_log, "answers");
  figure("refused though they build", wrongly, "answers", 0);
  return wrongly == 0;
}

constexpr const char* kWrongAnswer = R"(
import torch
from torch.utils.cpp_extension import load_inline
load_inline(name="one", cpp_sources="torch::Tensor f(torch::Tensor x) { return x.sise(); }", functions=["f"])
class ModelNew(torch.nn.Module): pass
)";

}  // namespace
}  // namespace ridgeline

int main(int count, char** words) try {
  using namespace ridgeline;
  const bool is_short = bench::take_short(count, words);
  if (!is_short && count < 2) {
    std::cerr << "usage: bench-failing_answers --short | ANSWERS.jsonl [FIRST [COUNT]]\n";
    return 2;
  }
  if (is_short && bench::skipped_without_nvcc()) return 0;
  const Folder folder;
  const Machine machine;
  if (is_short) return compare(machine, {{"short", kWrongAnswer}}, folder.path(), false) ? 0 : 1;
  const auto number = [&](int at, std::size_t otherwise) {
    return count > at ? static_cast<std::size_t>(std::stoul(words[at])) : otherwise;
  };
  return compare(machine, read_answers(words[1], number(2, 0), number(3, 1'000'000)), folder.path(), true)
             ? 0
             : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
