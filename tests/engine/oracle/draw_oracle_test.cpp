// State and inputs through memory files: each by its own seed.
#include <gmock/gmock.h>

#include "tests/engine/oracle/oracle_bed.hpp"

namespace ridgeline::oracle {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::HasSubstr;
using testing::Lt;

constexpr std::size_t weight = 0;  // the first of the state of level1/1_statistics

Shelf loaded(const TaskText& task, std::uint64_t seed) {
  Shelf shelf;
  shelf.add_state(described(task));
  value_of(shared_oracle().load(task, {seed}, shelf.memory(), patience));
  return shelf;
}

Shelf drawn(const TaskText& task, std::uint64_t seed) {
  Shelf shelf;
  const auto description = described(task);
  shelf.add(tensors_of(description.inputs));
  value_of(shared_oracle().load(task, {42}, {}, patience));
  value_of(shared_oracle().draw(seed, shelf.memory(), patience));
  return shelf;
}

TEST(OracleLoad, DependsOnTheSeedOfWeightsAlone) {
  const auto task = task_named("level1/1_statistics");
  const auto first = loaded(task, 42).read<float>(weight);
  EXPECT_TRUE(shared_oracle().loaded());
  EXPECT_EQ(first, loaded(task, 42).read<float>(weight));
  EXPECT_NE(first, loaded(task, 43).read<float>(weight));
  described(task);
  EXPECT_FALSE(shared_oracle().loaded());
}

TEST(OracleDraws, DependOnTheSeedOfInputsAlone) {
  const auto task = task_named("level1/1_statistics");
  const auto first = drawn(task, 1).read<float>(0);
  EXPECT_EQ(first, drawn(task, 1).read<float>(0));
  EXPECT_NE(first, drawn(task, 2).read<float>(0));
}

TEST(OracleDraws, CanBeRepeatedOnOneLoad) {
  const auto task = task_named("level1/3_labels");
  const auto other = drawn(task, 2).read<float>(0);
  Shelf shelf;
  shelf.add(tensors_of(described(task).inputs));
  const auto memory = shelf.memory();
  value_of(shared_oracle().load(task, {42}, {}, patience));
  value_of(shared_oracle().draw(1, memory, patience));
  const auto first = shelf.read<float>(0);
  value_of(shared_oracle().draw(2, memory, patience));
  EXPECT_EQ(shelf.read<float>(0), other);
  value_of(shared_oracle().draw(1, memory, patience));
  EXPECT_EQ(shelf.read<float>(0), first);
}

TEST(OracleDraws, LeaveIndicesAlone) {
  EXPECT_THAT(drawn(task_named("level1/3_labels"), 1).read<std::int64_t>(1), Each(AllOf(Ge(0), Lt(10))));
}

TEST(OracleDraws, NeedALoadAndPlacesOfTheirSizes) {
  const auto task = task_named("level1/3_labels");
  described(task);  // forgets
  EXPECT_THAT(failure_of(shared_oracle().draw(1, {}, patience)), HasSubstr("nothing is loaded"));
  value_of(shared_oracle().load(task, {42}, {}, patience));
  EXPECT_THAT(failure_of(shared_oracle().run({}, {}, patience)), HasSubstr("nothing is drawn"));
  Shelf shelf;
  shelf.add(64);
  EXPECT_THAT(failure_of(shared_oracle().draw(1, shelf.memory(), patience)),
              HasSubstr("2 tensors do not go into 1 places"));
  EXPECT_TRUE(shared_oracle().loaded());
}

}  // namespace
}  // namespace ridgeline::oracle
