#include "engine/submissions/golden.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"

namespace ridgeline::submissions {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json row(int size, double ms, double gbs = 2, double tflops = 4) {
  return {{"input_size", {{size}}}, {"ms", ms}, {"GB/s", gbs}, {"TFLOPS", tflops}};
}

Golden reference(const json& rows) {
  return {"5090", {{"task", rows}}};
}

TEST(GoldenEfficiency, IsTheSumOfTheReferencesTimesOverTheSumOfItsOwn) {
  const auto golden = reference(json{row(1, 3), row(2, 6)});
  const auto result = efficiency(json{row(1, 1, 10, 1), row(2, 3, 2, 5)}, golden, "task");
  EXPECT_TRUE(result.ok);
  EXPECT_DOUBLE_EQ(result.runtime_ms, 4);
  EXPECT_DOUBLE_EQ(result.speedup, 2.25);
  EXPECT_DOUBLE_EQ(result.gbs, 4) << "bytes over time: 10 GB/s for 1 ms and 2 GB/s for 3 ms";
  EXPECT_DOUBLE_EQ(result.tflops, 4);
  EXPECT_DOUBLE_EQ(*result.matched_speedup, 2.25);
  EXPECT_FALSE(result.abnormal);
}

TEST(GoldenEfficiency, ASizeThatFailedStaysInItsNumeratorAndNotInOurs) {
  const auto golden = reference(json{row(1, 3), row(2, 6)});
  const auto result = efficiency(json{row(2, 6)}, golden, "task");
  EXPECT_DOUBLE_EQ(result.speedup, 1.5);
  EXPECT_DOUBLE_EQ(*result.matched_speedup, 1);
  EXPECT_EQ(result.sizes, 1);
  EXPECT_EQ(result.golden_sizes, 2);
}

TEST(GoldenEfficiency, DividesByTheRoundedTime) {
  const auto result = efficiency(json{row(1, 0.00006)}, reference(json{row(1, 0.0003)}), "task");
  EXPECT_DOUBLE_EQ(result.runtime_ms, 0.0001);
  EXPECT_DOUBLE_EQ(result.speedup, 3);
}

TEST(GoldenEfficiency, MarksWhatItsScriptLeavesOutOfTheMean) {
  EXPECT_TRUE(efficiency(json{row(1, 10001)}, reference(json{row(1, 10001)}), "task").abnormal);
  EXPECT_TRUE(efficiency(json{row(1, 1000)}, reference(json{row(1, 1)}), "task").abnormal);
  EXPECT_FALSE(efficiency(json{row(1, 100)}, reference(json{row(1, 1)}), "task").abnormal);
}

TEST(GoldenEfficiency, SaysWhyThereIsNone) {
  const auto golden = reference(json{row(1, 1)});
  EXPECT_EQ(efficiency(json{row(1, 1)}, golden, "other").error, "no reference");
  EXPECT_THAT(efficiency(json::array(), golden, "task").error, HasSubstr("no size was timed"));
  EXPECT_THAT(efficiency(json{row(1, 0)}, golden, "task").error, HasSubstr("no positive ms"));
  EXPECT_THAT(efficiency(json{{{"ms", 1.0}, {"GB/s", nullptr}, {"TFLOPS", 1.0}}}, golden, "task").error,
              HasSubstr("lacks"));
}

TEST(GoldenTables, AreThoseOfAMachineOfTheClone) {
  const std::filesystem::path clone = RIDGELINE_SOURCE_DIR "/tests/engine/submissions";
  EXPECT_EQ(read_golden(clone, "5090").tables.at("half_relu").size(), 3U);
  EXPECT_EQ(read_golden(clone, (clone / "metrics/golden_results/slow").string()).tables.size(), 2U);
  try {
    read_golden(clone, "b300");
    FAIL() << "there is no such machine";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("--golden b300"));
    EXPECT_THAT(error.what(), HasSubstr("the clone has 5090, slow"));
  }
}

TEST(GoldenDtype, IsTheScriptsDefaultOrATokenOfTheName) {
  EXPECT_EQ(dtype_of_script("def __init__(self, dtype=torch.float16, **kwargs):", "add"), "float16");
  EXPECT_EQ(dtype_of_script("def __init__(self, dtype=None, x=1):", "gelu_bf16"), "bf16");
  EXPECT_EQ(dtype_of_script("def __init__(self, dtype=None, x=1):", "gelu"), "float32");
  EXPECT_EQ(dtype_of_script("no such line", "conv2d_w8a8"), "w8a8");
}

TEST(GoldenRounding, IsPythons) {
  EXPECT_EQ(rounded(2.675, 2), 2.67) << "the double lies below";
  EXPECT_EQ(rounded(0.125, 2), 0.12) << "a tie goes to the even digit";
  EXPECT_EQ(rounded(12.34567, 4), 12.3457);
}

}  // namespace
}  // namespace ridgeline::submissions
