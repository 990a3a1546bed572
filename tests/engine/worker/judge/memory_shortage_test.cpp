// What a device has too little memory for is said before anything is done.
#include "engine/worker/judge/memory_shortage.hpp"

#include <gmock/gmock.h>

#include "engine/core/out_of_memory.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

using testing::HasSubstr;

/// Two inputs and an output of `gib` GiB each.
Task three_vectors(std::int64_t gib) {
  auto task = testcase_task("vector_add");
  task.cases.resize(1);
  task.cases.front().sizes["N"] = gib << 28;
  task.cases.front().hidden = task.cases.front().final = false;
  task.cases.front().timed = true;
  return task;
}

std::string refusal(const Task& task, const JudgedCases& cases, double gib) {
  try {
    must_fit_device(task, cases, gib * (1 << 30));
  } catch (const OutOfMemory& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceMemoryShortage, IsSaidWithWhatIsNeededAndWhatWouldDo) {
  const auto task = three_vectors(2);
  EXPECT_EQ(refusal(task, {}, 20), "") << "three slots of 6 GiB and a copy of 2";
  EXPECT_THAT(refusal(task, {}, 19.9), HasSubstr("20.0 GiB at least (three slots"));
  EXPECT_THAT(refusal(task, {}, 19.9), HasSubstr("or without timing"));
  EXPECT_EQ(refusal(task, {.timed = false}, 12), "") << "buffers of 6 GiB, inputs of 4 and a copy of 2";
  EXPECT_THAT(refusal(task, {.timed = false}, 11.9), HasSubstr("12.0 GiB at least (a call's buffers"));
  EXPECT_THAT(refusal(task, {}, 11.9), HasSubstr("the device has 11.9 GiB"));
  EXPECT_THAT(refusal(task, {}, 11.9), testing::Not(HasSubstr("without timing")));
}

TEST(DeviceMemoryShortage, OffersAScaleAtWhichAModuleFits) {
  auto task = three_vectors(2);
  EXPECT_THAT(refusal(task, {}, 5), testing::Not(HasSubstr("--scale"))) << "a task of no module has none";
  task.module = Module{"level1/1_x", "[]", "{}", true};
  EXPECT_THAT(refusal(task, {}, 5), HasSubstr("; smaller shapes may fit: --scale 1/4 "));
  EXPECT_THAT(refusal(task, {}, 13), HasSubstr("--scale 1/2 "));
  task.module->scale = "1/8 (batch_size 128 to 16)";
  EXPECT_THAT(refusal(task, {}, 13), HasSubstr("--scale 1/16 "));
  Verdict verdict;
  does_not_fit("the oracle got no memory", task, verdict);
  EXPECT_THAT(verdict.at(Stage::call).detail,
              HasSubstr("got no memory; smaller shapes may fit: --scale 1/16"));
}

TEST(DeviceMemoryShortage, CountsCasesThatAreJudgedAlone) {
  auto task = three_vectors(2);
  task.cases.front().hidden = true;
  EXPECT_EQ(refusal(task, {.hidden = false}, 1), "");
  EXPECT_NE(refusal(task, {.hidden = true}, 1), "");
  task.cases.front().hidden = false;
  task.cases.front().final = true;
  EXPECT_EQ(refusal(task, {}, 1), "");
  EXPECT_THAT(refusal(task, {.final = true}, 11), HasSubstr("a call's buffers")) << "it is not timed";
}

}  // namespace
}  // namespace ridgeline::judge
