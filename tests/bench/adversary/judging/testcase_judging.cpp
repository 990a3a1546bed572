#include "tests/bench/adversary/judging/judging.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "tests/bench/adversary/judging/outcome.hpp"
#include "tests/engine/worker/judge/builds.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/module_judging.hpp"
#include "tests/engine/worker/judge/testcase.hpp"

namespace ridgeline::bench {
namespace {

using judge::JudgeProgram;
using judge::Testcase;

/// One judge for all candidates of a language; one that is lost is replaced, as the agent would.
class KeptJudge {
 public:
  using Way = std::function<Verdict(JudgeProgram&, const Testcase&)>;

  KeptJudge(std::string device, std::string python, Way way)
      : device_(std::move(device)), python_(std::move(python)), way_(std::move(way)) {}

  Outcome judged(const Testcase& testcase) {
    if (!judge_) judge_ = std::make_unique<JudgeProgram>(device_, python_);
    const auto start = std::chrono::steady_clock::now();
    Outcome outcome;
    try {
      outcome.verdict = way_(*judge_, testcase);
    } catch (const std::exception& error) {
      outcome.lost = error.what();
      judge_->kill();
      judge_.reset();
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
  }

  /// Returns the speed-up of the candidate in `file`, which is judged once; 0 unless it passes.
  double speedup_of(const std::filesystem::path& file) {
    if (const auto found = speedups_.find(file); found != speedups_.end()) return found->second;
    const auto outcome = judged(judge::read_testcase(file));
    return speedups_[file] = outcome.verdict ? outcome.verdict->speedup() : 0;
  }

 private:
  std::string device_, python_;
  Way way_;
  std::unique_ptr<JudgeProgram> judge_;
  std::map<std::filesystem::path, double> speedups_;
};

Scored scored(const std::string& language, const Testcase& testcase, KeptJudge& judge) {
  const auto outcome = judge.judged(testcase);
  Allowed allowed{.honest = testcase.honest, .may_pass = testcase.expected.contains("passed")};
  if (testcase.at_most && outcome.verdict && !outcome.verdict->failed_at())
    allowed.most_speedup = testcase.at_most->factor * judge.speedup_of(testcase.at_most->file);
  Scored scored{language,
                testcase.folder,
                testcase.name,
                testcase.honest,
                standing_of(allowed, outcome.verdict),
                words_of(outcome, allowed),
                outcome.seconds};
  tell(scored);
  return scored;
}

std::vector<Scored> score(const std::string& language, const std::vector<Testcase>& chosen,
                          const AdversaryOptions& options, KeptJudge judge) {
  std::vector<Scored> all;
  for (const auto& testcase : chosen) all.push_back(scored(language, testcase, judge));
  for (int again = 1; again < options.repeat; ++again)
    for (std::size_t i = 0; i < chosen.size(); ++i)
      add_repetition(all[i], scored(language, chosen[i], judge));
  return all;
}

/// In the short form two of each class.
std::vector<Testcase> chosen(const std::string& name, Language language, const AdversaryOptions& options) {
  std::vector<Testcase> all;
  std::map<std::string, int> taken;
  for (auto& testcase : judge::testcases(language))
    if (options.chooses(name, testcase.folder, testcase.name) &&
        (!options.brief || ++taken[testcase.folder] <= 2))
      all.push_back(std::move(testcase));
  return all;
}

std::vector<Scored> score_compiled(Language language, const std::string& device,
                                   const AdversaryOptions& options) {
  const std::string name(to_string(language));
  const auto testcases = chosen(name, language, options);
  std::vector<judge::ToBuild> builds;
  for (const auto& testcase : testcases) builds.push_back({testcase.task, testcase.candidate});
  try {
    judge::build_ahead(builds);
  } catch (const std::exception& error) {
    throw LeftOut(error.what());
  }
  return score(name, testcases, options,
               KeptJudge(device, "", [](JudgeProgram& program, const Testcase& testcase) {
                 return judge::judge_candidate(program, testcase.task, testcase.candidate);
               }));
}

}  // namespace

std::vector<Scored> score_cpp(const AdversaryOptions& options) {
  return score_compiled(Language::cpp, "cpu:0", options);
}

std::vector<Scored> score_cuda(const AdversaryOptions& options) {
  try {
    cuda::device_facts(0);
  } catch (const MachineCannot& error) {
    throw LeftOut(std::string("no GPU: ") + error.what());
  }
  return score_compiled(Language::cuda, "cuda:0", options);
}

std::vector<Scored> score_python(const AdversaryOptions& options) {
  const auto found = languages::find_python();
  if (const auto* none = std::get_if<languages::NoPython>(&found))
    throw LeftOut(none->reason + "; fix: " + none->fix);
  const auto python = judge::python_as_the_agent_says_it(std::get<languages::PythonToolchain>(found));
  return score("python", chosen("python", Language::torch, options), options,
               KeptJudge("cpu:0", python, [](JudgeProgram& program, const Testcase& testcase) {
                 return judge::judge_module(program, testcase.task, testcase.candidate);
               }));
}

}  // namespace ridgeline::bench
