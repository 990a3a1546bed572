// The tasks that ship with Ridgeline. That references compile and are sound is the verifier's to prove
// (`tasks check`).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "benchmark_tasks/categories.hpp"
#include "benchmark_tasks/loader.hpp"
#include "benchmark_tasks/suite.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/signature.hpp"

namespace ridgeline::benchmark_tasks {
namespace fs = std::filesystem;
namespace {

const Suite& native() {
  static const Suite suite = load_native(fs::path(RIDGELINE_SOURCE_DIR) / "benchmark_tasks");
  return suite;
}

TEST(NativeSuite, CoversAllFifteenCategories) {
  EXPECT_EQ(native().name, "native");
  EXPECT_GE(native().tasks.size(), 156u);
  EXPECT_EQ(categories().size(), 15u);
  std::set<std::string> covered;
  for (const auto& task : native().tasks) covered.insert(task.category);
  EXPECT_EQ(covered, std::set<std::string>(categories().begin(), categories().end()));
}

TEST(NativeSuite, HoldsEveryKindOfTask) {
  for (const auto* name : {"matmul_w8a8", "linear_w4a16", "adam", "rand", "qr", "argmax", "index_select",
                           "layer_norm", "softmax", "cross_entropy", "conv2d", "fused_mul_add_gelu",
                           "attention", "masked_select", "fftn", "abs", "div"})
    EXPECT_NE(native().find(name), nullptr) << name;
}

TEST(NativeSuite, EveryTaskHasARaggedSize) {
  for (const auto& task : native().tasks) {
    bool ragged = false;
    for (const auto& one : task.cases)
      for (const auto& [symbol, size] : one.sizes)
        ragged = ragged || (!one.final && size > 8 && size % 8 != 0);
    EXPECT_TRUE(ragged) << task.name;
  }
}

TEST(NativeSuite, BytesAreWithinWhatTheTensorsHold) {
  for (const auto& task : native().tasks)
    for (const auto& one : task.cases) {
      double held = 0;
      for (const auto* tensor : task.tensors())
        held += static_cast<double>(byte_count(*tensor, one.sizes)) * (tensor->role == Role::inout ? 2 : 1);
      EXPECT_LE(task.bytes.evaluate(one.sizes), held * 1.001) << task.name << " " << one.name;
      EXPECT_GT(task.bytes.evaluate(one.sizes), held * 0.05) << task.name << " " << one.name;
    }
}

TEST(NativeSuite, TheCodecKeepsTheHash) {
  for (const auto& task : native().tasks) {
    const auto text = nlohmann::json(task).dump();
    const auto back = nlohmann::json::parse(text).get<Task>();
    EXPECT_EQ(back.hash, task.hash) << task.name;
    EXPECT_EQ(hash_of(back), task.hash) << task.name;
  }
}

TEST(TaskFormat, TheExampleInTheDocumentationIsATask) {
  std::ifstream file(fs::path(RIDGELINE_SOURCE_DIR) / "docs/task-format.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str(), fence = "```yaml\n";
  const auto begin = page.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const auto yaml =
      page.substr(begin + fence.size(), page.find("```\n", begin + fence.size()) - begin - fence.size());
  const auto task = parse_task(yaml, "task-format.md");
  EXPECT_EQ(task.name, "scaled_softmax");
  for (const auto language : {Language::cpp, Language::triton})
    EXPECT_NE(page.find(kernel_stub(task, language)), std::string::npos) << kernel_stub(task, language);
}

/// The tasks that have an honest kernel in a file with `extension`, which must define the entry point.
std::set<std::string> honest_kernels(const std::string& extension,
                                     const std::string& keyword = "extern \"C\" void ") {
  std::set<std::string> kernels;
  for (const auto& file :
       fs::directory_iterator(fs::path(RIDGELINE_SOURCE_DIR) / "tests/benchmark_tasks/kernels")) {
    if (file.path().extension() != extension) continue;
    std::ifstream stream(file.path());
    std::stringstream text;
    text << stream.rdbuf();
    const auto name = file.path().stem().string();
    EXPECT_NE(text.str().find(keyword + "kernel_" + name + "("), std::string::npos) << file.path();
    kernels.insert(name);
  }
  return kernels;
}

TEST(NativeSuite, EveryTaskHasAnHonestKernelForEachBackend) {
  const auto names = native().names();
  const std::set<std::string> tasks(names.begin(), names.end());
  EXPECT_EQ(honest_kernels(".cpp"), tasks);
  EXPECT_EQ(honest_kernels(".cu"), tasks);
}

TEST(NativeSuite, TasksOfAllCategoriesHaveAnHonestKernelInTriton) {
  const auto kernels = honest_kernels(".py", "def ");
  EXPECT_GE(kernels.size(), 80u);
  std::set<std::string> covered;
  for (const auto& name : kernels) {
    const auto* task = native().find(name);
    ASSERT_NE(task, nullptr) << name;
    covered.insert(task->category);
  }
  EXPECT_EQ(covered.size(), 15u);
}

/// Bytes of all tensors of one case.
std::size_t held_bytes(const Task& task, const Case& one) {
  std::size_t held = 0;
  for (const auto* tensor : task.tensors()) held += byte_count(*tensor, one.sizes);
  return held;
}

TEST(NativeSuite, TimedCasesSuitTheirBackend) {
  for (const auto& task : native().tasks) {
    int on_cpu = 0, on_cuda = 0;
    for (const auto& one : task.cases) {
      if (!one.timed) continue;
      on_cpu += one.backend == "cpu";
      on_cuda += one.backend == "cuda";
      EXPECT_FALSE(one.backend.empty()) << task.name << " " << one.name;
    }
    EXPECT_GT(on_cpu, 0) << task.name;
    EXPECT_GT(on_cuda, 0) << task.name;
  }
}

TEST(NativeSuite, CasesForAGpuFitAndHideARaggedSize) {
  for (const auto& task : native().tasks) {
    bool ragged = false;
    for (const auto& one : task.cases) {
      EXPECT_LT(held_bytes(task, one), one.backend == "cuda" ? 400'000'000u : 4'000'000u)
          << task.name << " " << one.name;
      if (one.backend != "cuda" || !one.hidden) continue;
      for (const auto& [symbol, size] : one.sizes) ragged = ragged || (size > 8 && size % 8 != 0);
    }
    EXPECT_TRUE(ragged) << task.name;
  }
}

}  // namespace
}  // namespace ridgeline::benchmark_tasks
