// A clone on disk to task files with their metadata.
#include "engine/suites/kernelbenchx/clone.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "tests/engine/suites/kernelbenchx/small_clone.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> full_names(const std::vector<TaskFile>& tasks) {
  std::vector<std::string> all;
  for (const auto& task : tasks) all.push_back(task.full_name());
  return all;
}

template <class F>
std::string refused(F call) {
  try {
    call();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Opens a copy of the small clone whose metadata `change` has changed.
template <class F>
std::string refused_metadata(F change) {
  const auto root = copied_clone("metadata");
  const auto path = root / "data/kernelbenchx_v1.json";
  auto document = nlohmann::json::parse(std::ifstream(path));
  change(document);
  std::ofstream(path) << document;
  return refused([&] { open_clone(root); });
}

TEST(Clone, HoldsTheMetadatasTasksInItsOrderThenTheOthers) {
  const auto clone = open_clone(small_clone_root());
  EXPECT_THAT(full_names(clone.tasks), ElementsAre("Activation/half_relu", "Optimizer/Halving",
                                                   "Quantization/product_w8a8", "Math/twice_fp16"));
  EXPECT_TRUE(clone.tasks[0].meta);
  EXPECT_FALSE(clone.tasks[3].meta);
  EXPECT_EQ(clone.root, fs::path(small_clone_root()));
}

TEST(Clone, IsFoundFromItsFolderDataToo) {
  const auto clone = open_clone(small_clone_root() + "/data");
  EXPECT_EQ(clone.root, fs::path(small_clone_root()));
  EXPECT_EQ(clone.tasks.size(), 4U);
}

TEST(Clone, ReadsWhatTheMetadataSays) {
  const auto clone = open_clone(small_clone_root());
  const auto& task = clone.tasks[0];
  EXPECT_EQ(task.file, "Activation/half_relu.py");
  EXPECT_EQ(task.category, "Activation");
  EXPECT_EQ(task.identifier(), "Activation_half_relu");
  EXPECT_EQ(task.entry, "half_relu");
  EXPECT_EQ(task.meta->name, "torch.half_relu");
  EXPECT_EQ(task.meta->difficulty, 2);
  EXPECT_EQ(task.meta->operators, 2);
  EXPECT_EQ(task.meta->arguments, 4);
  EXPECT_EQ(task.meta->other, "A small one.");
  EXPECT_FALSE(task.meta->quantization);
  EXPECT_THAT(task.parts.reference, AllOf(HasSubstr("SLOPE = 0.5"), Not(HasSubstr("test_results"))));
  EXPECT_THAT(task.parts.test, HasSubstr("test_results = test_half_relu()"));
  EXPECT_EQ(clone.tasks[1].entry, "halving_step");
  EXPECT_EQ(clone.tasks[1].meta->math, "");
}

TEST(Clone, ReadsTheFormatsAndGatesOfQuantization) {
  const auto clone = open_clone(small_clone_root());
  const Quantization expected{"int8", "int8", "int32", "float32", {0.95, 0.05, 0.1}};
  EXPECT_EQ(clone.tasks[2].meta->quantization, expected);
  EXPECT_EQ(clone.tasks[2].meta->dtype, "torch.float32");
}

TEST(Clone, SaysHowToFixAPathThatIsNone) {
  EXPECT_THAT(
      refused([] { open_clone("/no/such/folder"); }),
      HasSubstr("kernelbenchx:/no/such/folder: is no folder; name a clone of BonnieW05/KernelBenchX"));
  const auto root = copied_clone("no-metadata");
  fs::remove(root / "data/kernelbenchx_v1.json");
  EXPECT_THAT(refused([&] { open_clone(root); }), HasSubstr("holds no data/kernelbenchx_v1.json"));
}

TEST(Clone, NamesWhatIsMissing) {
  const auto root = copied_clone("missing");
  fs::remove(root / "data/kernelbenchx/Optimizer/Halving.py");
  EXPECT_THAT(refused([&] { open_clone(root); }),
              HasSubstr("names data/kernelbenchx/Optimizer/Halving.py, which is missing"));
  fs::remove_all(root / "data/kernelbenchx");
  EXPECT_THAT(refused([&] { open_clone(root); }), HasSubstr("holds no data/kernelbenchx;"));
}

TEST(Clone, NamesAFileWithoutSeparator) {
  const auto root = copied_clone("separator");
  std::ofstream(root / "data/kernelbenchx/Math/plain.py") << "import torch\n";
  EXPECT_THAT(refused([&] { open_clone(root); }),
              AllOf(HasSubstr("Math/plain.py"), HasSubstr("exactly one line of 146 '#'")));
}

TEST(Metadata, NamesTheEntryAndTheKeyThatAreWrong) {
  EXPECT_THAT(refused_metadata([](auto& all) { all = nlohmann::json::object(); }),
              HasSubstr("no JSON array"));
  EXPECT_THAT(refused_metadata([](auto& all) { all[1] = 3; }), HasSubstr("entry 2: is no object"));
  EXPECT_THAT(refused_metadata([](auto& all) { all[1].erase("difficulty"); }),
              HasSubstr("entry 2: lacks \"difficulty\""));
  EXPECT_THAT(refused_metadata([](auto& all) { all[0]["difficulty"] = "2"; }),
              HasSubstr("entry 1: \"difficulty\" is no whole number"));
  EXPECT_THAT(refused_metadata([](auto& all) { all[2]["precision_thresholds"].erase("rmse"); }),
              HasSubstr("entry 3: \"precision_thresholds\": lacks \"rmse\""));
  EXPECT_THAT(refused_metadata([](auto& all) { all[0]["file"] = "../secret.py"; }),
              HasSubstr("is no <Category>/<name>.py"));
  EXPECT_THAT(refused_metadata([](auto& all) { all[1]["file"] = all[0]["file"]; }),
              HasSubstr("names Activation/half_relu.py a second time"));
}

TEST(Selection, TakesFullNamesFilesStemsAndGlobs) {
  const auto clone = open_clone(small_clone_root());
  for (const char* name : {"Activation/half_relu", "Activation/half_relu.py", "half_relu", "half*"})
    EXPECT_THAT(full_names(select(clone, {name})), ElementsAre("Activation/half_relu")) << name;
  EXPECT_EQ(select(clone, {}).size(), 4U);
}

TEST(Selection, SuggestsTheNearest) {
  const auto clone = open_clone(small_clone_root());
  EXPECT_THAT(refused([&] { select(clone, {"half_rleu"}); }), HasSubstr("did you mean \"half_relu\""));
}

}  // namespace
}  // namespace ridgeline::suites::kernelbenchx
