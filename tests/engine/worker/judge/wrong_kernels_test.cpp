// Faults of the kinds that models make, at least four in each category of the native tasks: each is caught by
// the real judge, by comparison of values and not as cheating, and the first mismatch report names the
// pattern.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <set>

#include "benchmark_tasks/categories.hpp"
#include "benchmark_tasks/loader.hpp"
#include "engine/core/names.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFaultsPerCategory = 4;

const fs::path source_folder = RIDGELINE_SOURCE_DIR;
const fs::path kernels = source_folder / "tests/benchmark_tasks/kernels";

/// An entry of wrong_kernels.yaml; the file says what each key means.
struct WrongKernel {
  std::string category, task, fault;
  std::set<std::string> patterns;
  std::string output;  ///< "" for any
  std::string check;   ///< "" where outputs are compared element by element
  std::map<std::string, std::string> change;
};

std::set<std::string> patterns_of(const YAML::Node& node) {
  if (!node) return {};
  if (node.IsScalar()) return {node.as<std::string>()};
  const auto names = node.as<std::vector<std::string>>();
  return {names.begin(), names.end()};
}

std::vector<WrongKernel> wrong_kernels() {
  std::vector<WrongKernel> all;
  const auto document = YAML::LoadFile((source_folder / "tests/benchmark_tasks/wrong_kernels.yaml").string());
  for (const auto& category : document)
    for (const auto& entry : category.second)
      all.push_back({category.first.as<std::string>(), entry["task"].as<std::string>(),
                     entry["fault"].as<std::string>(), patterns_of(entry["pattern"]),
                     entry["output"].as<std::string>(""), entry["check"].as<std::string>(""),
                     entry["change"].as<std::map<std::string, std::string>>()});
  return all;
}

/// The source of the honest kernel with the changes; a key that does not occur exactly once fails the test.
std::string source_of(const WrongKernel& wrong) {
  auto source = read_text(kernels / (wrong.task + ".cpp"));
  for (const auto& [from, to] : wrong.change) {
    const auto at = source.find(from);
    EXPECT_NE(at, std::string::npos) << wrong.task << ", " << wrong.fault << ": no '" << from << "'";
    if (at == std::string::npos) continue;
    EXPECT_EQ(source.find(from, at + 1), std::string::npos) << wrong.task << ": '" << from << "' twice";
    source.replace(at, from.size(), to);
  }
  return source;
}

Task native_task(const WrongKernel& wrong) {
  const auto file = source_folder / "benchmark_tasks" / wrong.category / (wrong.task + ".yaml");
  return on_backend(benchmark_tasks::load_task(file), "cpu");
}

TEST(WrongKernels, EachCategoryHasFour) {
  std::map<std::string, std::set<std::string>> faults;
  for (const auto& wrong : wrong_kernels()) faults[wrong.category].insert(wrong.task + wrong.fault);
  for (const auto& category : benchmark_tasks::categories())
    EXPECT_GE(faults[category].size(), kFaultsPerCategory) << category;
}

TEST(WrongKernels, EachIsCaughtWithAReportThatNamesThePattern) {
  JudgeProgram judge;
  for (const auto& wrong : wrong_kernels()) {
    SCOPED_TRACE(wrong.task + ": " + wrong.fault);
    const auto verdict = judge_source(judge, native_task(wrong), source_of(wrong));
    EXPECT_FALSE(verdict.correct()) << shown(verdict);
    EXPECT_FALSE(verdict.cheated) << shown(verdict);
    EXPECT_EQ(verdict.at(Stage::correctness).status, Status::failed) << shown(verdict);
    if (verdict.mismatches.empty()) {
      EXPECT_FALSE(wrong.check.empty()) << shown(verdict);
      EXPECT_NE(shown(verdict).find(wrong.check), std::string::npos) << shown(verdict);
      continue;
    }
    const auto& mismatch = verdict.mismatches.front();
    std::printf("%s, %s: %s.%s, %s %s, %ld of %ld\n", wrong.task.c_str(), wrong.fault.c_str(),
                mismatch.case_name.c_str(), mismatch.output.c_str(),
                std::string(to_string(mismatch.pattern)).c_str(), mismatch.pattern_detail.c_str(),
                static_cast<long>(mismatch.wrong), static_cast<long>(mismatch.elements));
    EXPECT_TRUE(wrong.patterns.contains(std::string(to_string(mismatch.pattern)))) << shown(verdict);
    if (!wrong.output.empty()) {
      EXPECT_EQ(mismatch.output, wrong.output);
    }
  }
}

}  // namespace
}  // namespace ridgeline::judge
