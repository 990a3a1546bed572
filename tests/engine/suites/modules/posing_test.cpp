// How files are posed otherwise than they stand: words of users, and the marks that keep tasks apart.
#include "engine/suites/modules/posing.hpp"

#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/suites/posing_mark.hpp"

namespace ridgeline::suites::modules {
namespace {

TEST(Posing, ReadsKernelBenchsWordsForPrecisions) {
  EXPECT_EQ(parse_precision("fp32", "precision"), std::nullopt);
  EXPECT_EQ(parse_precision("fp16", "precision"), DType::float16);
  EXPECT_EQ(parse_precision("bf16", "precision"), DType::bfloat16);
  for (const char* text : {"", "fp8", "BF16", "bfloat16"})
    EXPECT_THROW(parse_precision(text, "precision"), BadInput) << text;
}

TEST(Posing, ReadsAScaleAsOneOverAWholeNumber) {
  EXPECT_EQ(parse_scale_divisor("1", "scale"), 1);
  EXPECT_EQ(parse_scale_divisor("1/8", "scale"), 8);
  for (const char* text : {"", "1/", "1/0", "2/3", "0.5", "1/-2", "1/3x", "1/9999999"})
    EXPECT_THROW(parse_scale_divisor(text, "scale"), BadInput) << text;
}

TEST(Posing, MarksNameAndGroupSoThatNothingIsAddedUpAcrossPosings) {
  const TaskNames plain{"level1/23_Softmax", "level1_23_Softmax", "level1", 1, "a softmax"};
  EXPECT_EQ(posed(plain, {}).identifier, plain.identifier);
  EXPECT_EQ(posed(plain, {}).category, plain.category);
  const auto both = posed(plain, {DType::bfloat16, 4});
  EXPECT_EQ(both.identifier, "level1_23_Softmax_scale4_bf16");
  EXPECT_EQ(both.category, "level1 bf16 1/4");
  EXPECT_EQ(both.description, "a softmax, in bfloat16, with shapes at a scale of 1/4");
  EXPECT_EQ(both.file, plain.file) << "messages name the file";
}

TEST(Posing, MarkIsReadFromAGroupsName) {
  for (const auto& posing :
       {Posing{}, Posing{DType::float16, 1}, Posing{{}, 2}, Posing{DType::bfloat16, 16}}) {
    const auto suffix = posing.label_suffix();
    EXPECT_EQ(posing_mark("level1" + suffix), suffix.empty() ? "" : suffix.substr(1));
  }
  EXPECT_EQ(posing_mark("Linear Algebra"), "") << "a group of somebody's own";
  EXPECT_EQ(posing_mark("bf16"), "");
  EXPECT_EQ(posing_mark(""), "");
}

}  // namespace
}  // namespace ridgeline::suites::modules
