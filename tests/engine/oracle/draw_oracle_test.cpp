// State and inputs through memory files: each by its own seed.
#include <gmock/gmock.h>

#include <cmath>

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

const TaskText recurrent{"level3/1_recurrent", R"(
import torch
import torch.nn as nn
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 8)
        self.step = nn.Linear(8 + 6, 6)
        self.last = nn.Linear(14, 3)
    def forward(self, x):
        y = self.lstm(x)[0]
        state = torch.zeros(x.shape[1], 6)
        for one in y:
            state = torch.tanh(self.step(torch.cat((one, state), 1)))
        return self.last(torch.cat((y[-1], state), 1))
def get_inputs():
    return [torch.randn(5, 2, 4)]
def get_init_inputs():
    return []
)"};

/// As torch draws them a recurrent net forgets, and an answer that computes the end of a sequence was right.
TEST(OracleLoad, SecretWeightsLetARecurrentNetRemember) {
  enum { weight_ih, weight_hh, bias_ih, bias_hh, step, step_bias, last };
  Shelf plain;
  plain.add_state(described(recurrent));
  value_of(shared_oracle().load(recurrent, {7, "cpu"}, plain.memory(), patience));
  auto remembering = loaded(recurrent, 7);
  EXPECT_EQ(remembering.read<float>(weight_hh), plain.read<float>(weight_hh));
  EXPECT_EQ(remembering.read<float>(last), plain.read<float>(last)) << "called once";
  const auto before = plain.read<float>(bias_ih), after = remembering.read<float>(bias_ih);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_FLOAT_EQ(after[i], before[i] + (i >= 8 && i < 16 ? 6 : 0)) << i;
  const auto drawn_step = plain.read<float>(step), stretched = remembering.read<float>(step);
  double squares = 0;
  for (std::size_t i = 0; i < stretched.size(); ++i) {
    if (i % 14 < 8) {
      EXPECT_EQ(stretched[i], drawn_step[i]) << i;
    } else {
      squares += stretched[i] * stretched[i];
    }
  }
  EXPECT_NEAR(std::sqrt(squares / 6), 1.5, 0.2) << "the radius of a matrix of such numbers";
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
