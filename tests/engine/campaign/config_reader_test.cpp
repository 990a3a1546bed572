#include "engine/campaign/config_reader.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "engine/campaign/plan.hpp"
#include "engine/core/error.hpp"
#include "tests/engine/campaign/config_files.hpp"

namespace ridgeline::campaign {
namespace {

namespace fs = std::filesystem;

TEST_F(ConfigReader, ReadsEveryPart) {
  const auto config = read(good);
  EXPECT_EQ(config.name, "trial");
  EXPECT_EQ(config.store, "runs/trial.db");
  ASSERT_EQ(config.strategies.size(), 2u);
  EXPECT_EQ(config.strategies[1].label, "chain");
  EXPECT_EQ(std::get<std::int64_t>(config.strategies[1].settings.at("rounds")), 4);
  EXPECT_EQ(config.model_for_role(config.strategies[0], "generator").prices.output, 2);
  EXPECT_EQ(config.model_for_role(config.strategies[0], "generator").extra, "{\"top_k\":5}");
  EXPECT_EQ(config.model_for_role(config.strategies[0], "critic").provider, llm::Provider::mailbox);
  EXPECT_EQ(config.model_for_role(config.strategies[0], "").name, "fast");
  EXPECT_EQ(config.seeds, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(config.per_trajectory.calls, 6);
  EXPECT_EQ(config.total.usd, 1.5);
  EXPECT_EQ(config.worker.launcher, (std::vector<std::string>{"ssh", "node", "ridgeline-worker"}));
}

TEST_F(ConfigReader, TakesPresetsFromTheFolderBesideTheFileAndVariesThem) {
  const auto config = read(with(good, "strategy: best_of_n\n    settings: {n: 3}", "preset: mine"));
  EXPECT_EQ(config.strategies[0].label, "mine");
  EXPECT_EQ(std::get<std::int64_t>(config.strategies[0].settings.at("n")), 7);
  const auto varied =
      read(with(good, "strategy: best_of_n\n    settings: {n: 3}", "preset: mine\n    settings: {n: 2}"));
  EXPECT_EQ(std::get<std::int64_t>(varied.strategies[0].settings.at("n")), 2);
}

TEST_F(ConfigReader, AppliesOverridesBeforeReading) {
  EXPECT_EQ(read(good, {"budget.per_trajectory.calls=9"}).per_trajectory.calls, 9);
  EXPECT_EQ(read(good, {"strategies.0.settings.n=5"}).strategies[0].settings.at("n"),
            strategies::SettingValue(std::int64_t{5}));
}

TEST_F(ConfigReader, ReadsACloneOfKernelBench) {
  const std::string clone = RIDGELINE_SOURCE_DIR "/tests/engine/suites/kernelbench/clone";
  const auto with_suite = [&](const std::string& rest, const std::string& language = "") {
    return "suite: {kernelbench: " + clone + rest + "}\n" + language + good;
  };
  const auto config = read(with_suite(", levels: [2, 1, 2], tasks: ['level1/*', 7_rectifies], check: false"));
  const auto listed = config.suite->list();
  ASSERT_EQ(listed.size(), 11u) << "all of level 1, and one of level 2";
  EXPECT_EQ(listed.front().file, "level1/1_statistics");
  EXPECT_EQ(listed.back().file, "level2/7_rectifies");
  EXPECT_TRUE(config.suite->only_describes());
  EXPECT_EQ(config.language, Language::torch);
  EXPECT_EQ(read(with_suite("", "language: cpp\n")).language, Language::cpp);

  EXPECT_EQ(config.worker.backend, "cpu");
  EXPECT_EQ(read(with_suite(""), {"worker.backend=cuda"}).worker.backend, "cuda");
  EXPECT_EQ(read(with_suite(""), {"worker.fallback=reject"}).worker.fallback, FallbackPolicy::reject);
  EXPECT_FALSE(config.worker.torch_compile);
  EXPECT_EQ(read(with_suite(""), {"worker.torch_compile=max-autotune"}).worker.torch_compile,
            CompileMode::max_autotune);
  EXPECT_NE(error_of(with_suite(""), {"worker.torch_compile=defalt"}).find("did you mean 'default'?"),
            std::string::npos);
  EXPECT_EQ(read(with_suite("", "language: cuda\n")).worker.backend, "cuda");
  EXPECT_NE(error_of(with_suite("", "language: cuda\n"), {"worker.backend=cpu"})
                .find("kernels in cuda run on the backend cuda"),
            std::string::npos);
  EXPECT_NE(error_of(with_suite(""), {"worker.backend=metal"}).find("no backend 'metal'"), std::string::npos);
  EXPECT_EQ(read(with_suite("", "language: triton\n")).language, Language::triton);
  EXPECT_EQ(read(with_suite("", "language: triton\n")).worker.backend, "cuda");
  EXPECT_EQ(read(with_suite("", "language: triton\n"), {"worker.backend=cpu"}).worker.backend, "cpu");
  EXPECT_NE(
      error_of(std::string("language: torch\n") + good)
          .find("trial.yaml:1:11: torch is a language of answers to KernelBench's tasks: name a clone of "
                "KernelBench as suite.kernelbench"),
      std::string::npos);
  EXPECT_NE(error_of(with_suite(", level: [1]")).find("unknown key 'level' in suite; did you mean 'levels'?"),
            std::string::npos);
  EXPECT_NE(error_of(with_suite(", categories: [Math]")).find("unknown key 'categories'"), std::string::npos);
  EXPECT_NE(error_of(with_suite(", levels: one")).find("'suite.levels' must be"), std::string::npos);
  EXPECT_NE(error_of(with_suite(", levels: [3]")).find("there is no level 3; there are: 1, 2"),
            std::string::npos);
  const auto misspelt = error_of(with_suite(", tasks: [7_mean, 7_meen]"));
  EXPECT_EQ(misspelt.rfind("trial.yaml:1:", 0), 0u) << misspelt;
  EXPECT_NE(misspelt.find("no task '7_meen'"), std::string::npos) << misspelt;
  EXPECT_NE(misspelt.find("did you mean \"7_mean\"?"), std::string::npos) << misspelt;
  EXPECT_NE(error_of(std::string("suite: {kernelbench: /no/such}\n") + good)
                .find("trial.yaml:1:22: kernelbench:/no/such: is no folder"),
            std::string::npos);
}

TEST_F(ConfigReader, TakesTheBackendThatALanguageRunsOn) {
  const std::string worker = R"(worker: {isolation: strict, launcher: "ssh node ridgeline-worker"})";
  const auto in_cuda = [&](const std::string& asked) {
    return "language: cuda\n" + with(good, worker, asked);
  };
  EXPECT_EQ(read(good).worker.backend, "cpu");
  EXPECT_EQ(read(in_cuda("worker: {count: 2}")).worker.backend, "cuda");
  EXPECT_FALSE(read(good).worker.precision_goal);
  EXPECT_EQ(read(in_cuda("worker: {backend: cuda, precision_goal: 0.05}")).worker.precision_goal, 0.05);
  EXPECT_NE(error_of(in_cuda("worker: {backend: cuda, precision_goal: 5}")).find("precision_goal"),
            std::string::npos);
  EXPECT_EQ(read(in_cuda("worker: {backend: cuda, mailbox: box, device: an H200}")).worker.device, "an H200");
  EXPECT_NE(
      error_of(with(good, worker, "worker: {backend: cuda}")).find("kernels in cpp run on the backend cpu"),
      std::string::npos);
  EXPECT_NE(error_of(in_cuda("worker: {backend: cudo}")).find("did you mean 'cuda'?"), std::string::npos);
  EXPECT_NE(error_of(in_cuda("worker: {device: an H200}")).find("device is for a mailbox"),
            std::string::npos);
}

TEST_F(ConfigReader, RefusesTheKeyFallbackForKernels) {
  const std::string isolation = "isolation: strict";
  EXPECT_EQ(error_of(with(good, isolation, "fallback: allow")), "");
  EXPECT_NE(
      error_of(with(good, isolation, "fallback: reject")).find("fallback is for modules; kernels in cpp"),
      std::string::npos);
  EXPECT_NE(error_of(with(good, isolation, "fallback: rejekt")).find("did you mean 'reject'?"),
            std::string::npos);
}

TEST_F(ConfigReader, RefusesTorchCompileForNativeTasks) {
  EXPECT_NE(error_of(with(good, "isolation: strict", "torch_compile: default"))
                .find("name a clone of KernelBench as suite.kernelbench"),
            std::string::npos);
}

TEST_F(ConfigReader, RefusesExamplesInALanguageThatHasNone) {
  EXPECT_EQ(read(with(good, "{n: 3}", "{n: 3, examples: few, hardware: true}"))
                .strategies[0]
                .settings.at("hardware"),
            strategies::SettingValue(true));
  EXPECT_EQ(
      error_of("language: cuda\n" + with(good, "{n: 3}", "{n: 3, examples: one}")),
      "trial.yaml:4:5: there are no examples in cuda: set examples of the strategy 'best_of_n' to none");
  EXPECT_EQ(error_of("language: cuda\n" + with(good, "{n: 3}", "{n: 3, examples: none}")), "");
}

TEST_F(ConfigReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(with(good, "strategies:", "strategis:")),
            "trial.yaml:2:1: unknown key 'strategis' in campaign; did you mean 'strategies'?");
  EXPECT_NE(
      error_of(with(good, "seeds:", "seds:")).find("unknown key 'seds' in campaign; did you mean 'seeds'?"),
      std::string::npos);
  EXPECT_NE(
      error_of(with(good, "strategy: best_of_n", "strategy: best_of_m")).find("did you mean 'best_of_n'?"),
      std::string::npos);
  EXPECT_NE(error_of(with(good, "{n: 3}", "{m: 3}")).find("unknown key 'm'"), std::string::npos);
  EXPECT_NE(error_of(with(good, "{n: 3}", "{n: 0}")).find("trial.yaml:4:"), std::string::npos);
  EXPECT_NE(error_of(with(good, "critic: judge", "critic: jude")).find("did you mean 'judge'?"),
            std::string::npos);
  EXPECT_NE(error_of(with(good, "isolation: strict", "isolation: strikt")).find("did you mean 'strict'?"),
            std::string::npos);
  EXPECT_NE(
      error_of(with(good, "label: chain", "label: best_of_n")).find("two strategies are called 'best_of_n'"),
      std::string::npos);
  EXPECT_NE(error_of(with(good, "strategy: best_of_n\n    settings: {n: 3}", "preset: mien"))
                .find("did you mean 'mine'?"),
            std::string::npos);
}

TEST_F(ConfigReader, RefusesUnsafeNamesAndRepeatedSeedsAndLabels) {
  for (const std::string name : {"..", "a..b", ".hidden", "a/b", "x y", "''"})
    EXPECT_EQ(error_of(with(good, "name: trial", "name: " + name)).rfind("trial.yaml:1:7: '", 0), 0u) << name;
  EXPECT_EQ(error_of(with(good, "seeds: [1, 2]", "seeds: [7, 0, 7]")),
            "trial.yaml:12:15: the seed 7 stands twice, first at " + (folder_ / "trial.yaml").string() +
                ":12:9: a seed is one trajectory of each task and strategy; name another");
  const auto label = error_of(with(good, "label: chain", "label: best_of_n"));
  EXPECT_EQ(label, "trial.yaml:5:5: two strategies are called 'best_of_n', the first at " +
                       (folder_ / "trial.yaml").string() + ":3:5: give one of them a label");
  EXPECT_NE(
      error_of(with(good, "label: chain", "label: \"a\\nb\"")).find("trial.yaml:6:12: a strategy's label"),
      std::string::npos);
}

TEST_F(ConfigReader, ReportsWhatTheSuiteLacksWithItsPlace) {
  const auto suite = [&](const std::string& rest) { return error_of("suite: {" + rest + "}\n" + good); };
  EXPECT_EQ(
      suite("tasks: [softmax, sofmax]").rfind("trial.yaml:1:26: no task of the suite 'native' is named", 0),
      0u);
  EXPECT_EQ(
      suite("categories: [Maths]").rfind("trial.yaml:1:22: 'Maths' is no category; did you mean 'Math'?", 0),
      0u);
  EXPECT_EQ(suite("path: /no/such").rfind("trial.yaml:1:15: /no/such: is no folder", 0), 0u);
  EXPECT_EQ(suite("min_difficulty: 5, max_difficulty: 1").rfind("trial.yaml:1:8: no task of the suite", 0),
            0u);
  EXPECT_EQ(suite("tasks: [softmax]"), "");
}

TEST_F(ConfigReader, RefusesAKnowledgeFolderWithoutSourcesOfTheLanguage) {
  const auto with_folder = [&](const fs::path& folder) {
    return std::string(good) + "knowledge: " + folder.string() + "\n";
  };
  fs::create_directories(folder_ / "corpus/rows");
  EXPECT_NE(error_of(with_folder(folder_ / "absent")).find("trial.yaml:17:12: '"), std::string::npos)
      << error_of(with_folder(folder_ / "absent"));
  EXPECT_NE(error_of(with_folder(folder_ / "absent")).find("is no folder"), std::string::npos);
  std::ofstream(folder_ / "corpus/rows/kernel.cu") << "x";
  EXPECT_NE(error_of(with_folder(folder_ / "corpus")).find("holds no cpp source file (.cpp, "),
            std::string::npos);
  std::ofstream(folder_ / "corpus/rows/kernel.cpp") << "x";
  EXPECT_EQ(read(with_folder(folder_ / "corpus")).knowledge, (folder_ / "corpus").string());
}

TEST_F(ConfigReader, RefusesAStrategyThatRetrievesWithoutAKnowledgeFolder) {
  const auto retrieving = with(good, "strategy: best_of_n\n    settings: {n: 3}",
                               "strategy: geak\n    settings: {knowledge: bm25}");
  EXPECT_NE(
      error_of(retrieving)
          .find("trial.yaml:3:5: the strategy 'geak' retrieves from a corpus and the campaign names none"),
      std::string::npos)
      << error_of(retrieving);
  EXPECT_NE(error_of(retrieving, {"strategies.0.settings.knowledge=bm24"}).find("bm24"), std::string::npos);
  EXPECT_EQ(error_of(retrieving, {"strategies.0.settings.knowledge=none"}), "");
}

TEST_F(ConfigReader, PlansTrajectoriesAndBounds) {
  const auto config = read(good);
  Task task;
  task.name = "t";
  const auto plan = make_plan(config, {{task}, {}});
  EXPECT_EQ(plan.trajectories.size(), 4u);  // 1 task x 2 seeds x 2 strategies
  EXPECT_EQ(plan.bound.calls, 2 * (3 + 4));
  EXPECT_EQ(plan.trajectories[3].address(plan.tasks, config), "t/chain/2");
  EXPECT_DOUBLE_EQ(*plan.bound.usd, std::min(1.5, 14 * 16384 * 2e-6));
  EXPECT_THROW(make_plan(config, {}), BadInput);
}

}  // namespace
}  // namespace ridgeline::campaign
