// Forwards leave no trace: an output depends on what was loaded, drawn and given, and on nothing that ran
// before.
#include <gmock/gmock.h>

#include <complex>

#include "tests/engine/oracle/oracle_bed.hpp"

namespace ridgeline::oracle {
namespace {

using testing::Each;
using testing::HasSubstr;

void prepare(const TaskText& task) {
  value_of(shared_oracle().load(task, {42}, {}, patience));
  value_of(shared_oracle().draw(1, {}, patience));
}

/// The only output of a forward on what was drawn.
template <class T>
std::vector<T> output(Precision precision, std::size_t elements) {
  Shelf shelf;
  shelf.add(elements * sizeof(T));
  value_of(shared_oracle().run({.precision = precision, .seed = 5}, shelf.memory(), patience));
  return shelf.read<T>(0);
}

/// Places for given arguments and outputs.
Shelf shelf_for(const Description& task, Precision precision) {
  Shelf shelf;
  shelf.add(tensors_of(task.inputs), precision);
  shelf.add_state(task, precision);
  shelf.add(task.outputs, precision);
  return shelf;
}

void run_given(Precision precision, const TensorMemory& memory) {
  value_of(shared_oracle().run({.precision = precision, .seed = 5, .arguments = Arguments::given}, memory,
                               patience));
}

TEST(OracleRuns, StartFromTheStateAsLoaded) {
  prepare(task_named("level1/1_statistics"));  // adds the running mean, which every forward in training moves
  const auto first = output<float>(Precision::float32, 128);
  EXPECT_EQ(first, output<float>(Precision::float32, 128));
  prepare(task_named("level1/5_hidden_state"));
  const auto hidden = output<float>(Precision::float32, 32);
  EXPECT_EQ(hidden, output<float>(Precision::float32, 32));
}

TEST(OracleRuns, AreReseededBeforeEveryForward) {
  prepare(task_named("level2/1_dropout"));
  EXPECT_EQ(output<float>(Precision::float32, 1024), output<float>(Precision::float32, 1024));
}

TEST(OracleRuns, UseGivenArgumentsAfterADrawOfShapes) {
  const auto task = task_named("level1/9_reads_value");
  auto shelf = shelf_for(described(task), Precision::float32);
  const auto memory = shelf.memory();
  value_of(shared_oracle().load(task, {42}, {}, patience));
  for (const auto input_bytes :
       {std::uint64_t{1} << 10, std::uint64_t{1} << 40}) {  // drawn; asked for shapes
    value_of(shared_oracle().draw_shapes(input_bytes, patience));
    shelf.write(0, std::vector<float>(256, 3));
    run_given(Precision::float32, memory);
    EXPECT_THAT(shelf.read<float>(1), Each(9));
    Shelf outputs;
    outputs.add(256 * sizeof(float));
    EXPECT_THAT(
        failure_of(shared_oracle().run({.precision = Precision::float32}, outputs.memory(), patience)),
        HasSubstr("only shapes are drawn"));
  }
}

TEST(OracleRuns, ComputeInFloat64) {
  prepare(task_named("level1/5_hidden_state"));
  const auto narrow = output<float>(Precision::float32, 32);
  const auto wide = output<double>(Precision::float64, 32);
  bool more_digits = false;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    EXPECT_NEAR(wide[i], narrow[i], 1e-5);
    more_digits = more_digits || static_cast<double>(static_cast<float>(wide[i])) != wide[i];
  }
  EXPECT_TRUE(more_digits);
}

TEST(OracleRuns, UseEveryBitOfTheCallersInputs) {
  const auto task = task_named("level1/9_reads_value");
  auto shelf = shelf_for(described(task), Precision::float64);
  const auto memory = shelf.memory();
  prepare(task);
  const auto before = output<float>(Precision::float32, 256);
  const double fine = 1 + 0x1p-40;  // no float32
  shelf.write(0, std::vector<double>(256, fine));
  run_given(Precision::float64, memory);
  EXPECT_THAT(shelf.read<double>(1), Each(fine * fine));
  EXPECT_EQ(output<float>(Precision::float32, 256), before);  // what was drawn is still there
}

TEST(OracleRuns, UseTheCallersStateForThatRunAlone) {
  const auto task = task_named("level1/5_hidden_state");
  const auto description = described(task);
  auto shelf = shelf_for(description, Precision::float64);
  const auto memory = shelf.memory();
  prepare(task);
  const auto before = output<float>(Precision::float32, 32);
  shelf.write(0, std::vector<double>(32, 1.0));      // x
  shelf.write(1, std::vector<double>(64, 0.0));      // step.weight
  shelf.write(2, std::vector<double>(8, 0x1p-30));   // step.bias
  shelf.write(3, std::vector<double>(32, 0x1p-60));  // hidden, of which float32 would lose the sum
  run_given(Precision::float64, memory);
  const auto got = shelf.read<double>(4);
  for (const double one : got) EXPECT_DOUBLE_EQ(one, 0x1p-30 + 0x1p-60);
  run_given(Precision::float64, memory);
  EXPECT_EQ(shelf.read<double>(4), got);
  EXPECT_EQ(output<float>(Precision::float32, 32), before);
}

TEST(OracleRuns, OnGivenStateDoNotDependOnEarlierRuns) {
  const auto task =
      task_with_buffer("torch.zeros(4)", "torch.rand(4)",
                       "self.calls += 1; self.kept += x; self.last = x; return self.kept * self.calls");
  auto shelf = shelf_for(described(task), Precision::float64);
  const auto memory = shelf.memory();
  prepare(task);
  shelf.write(0, std::vector<double>(4, 3.0));  // x
  for (const double kept : {2.0, 5.0, 2.0}) {
    shelf.write(1, std::vector<double>(4, kept));
    run_given(Precision::float64, memory);
    EXPECT_THAT(shelf.read<double>(2), Each(kept + 3));
  }
}

TEST(OracleRuns, OnGivenStateDoNotDependOnAttributesThatAForwardLeft) {
  for (const std::string made : {"torch.zeros(4)", "torch.zeros(4)); self.log = list("}) {
    const auto task = task_with_buffer(
        made, "torch.rand(4)", "self.__dict__.setdefault('log', []).append(1); return x * len(self.log)");
    auto shelf = shelf_for(described(task), Precision::float64);
    const auto memory = shelf.memory();
    prepare(task);
    shelf.write(0, std::vector<double>(4, 3.0));
    shelf.write(1, std::vector<double>(4, 0.0));
    for (int run = 0; run < 3; ++run) {
      run_given(Precision::float64, memory);
      EXPECT_THAT(shelf.read<double>(2), Each(3));
    }
  }
}

TEST(OracleRuns, OnGivenStateDoNotDependOnTensorsThatAForwardReplaced) {
  const auto task =
      task_with_buffer("torch.rand(3, 2)", "torch.rand(1, 2)", "return x @ self.kept.t_()  # in place");
  auto shelf = shelf_for(described(task), Precision::float64);
  const auto memory = shelf.memory();
  prepare(task);
  shelf.write(0, std::vector<double>{1, 10});
  shelf.write(1, std::vector<double>{1, 2, 3, 4, 5, 6});
  for (int run = 0; run < 3; ++run) {
    run_given(Precision::float64, memory);
    EXPECT_EQ(shelf.read<double>(2), (std::vector<double>{21, 43, 65})) << run;
  }
}

TEST(OracleRuns, OnTheDrawGivenBackEqualRunsOnTheDraw) {
  const auto task = task_named("level1/1_statistics");
  const auto description = described(task);
  auto given = shelf_for(description, Precision::float32);
  auto memory = given.memory();
  const auto inputs = static_cast<std::ptrdiff_t>(tensors_of(description.inputs).size());
  const auto state = static_cast<std::ptrdiff_t>(description.state.size());
  const auto begin = memory.places.begin();
  value_of(
      shared_oracle().load(task, {42}, {memory.files, {begin + inputs, begin + inputs + state}}, patience));
  value_of(shared_oracle().draw(1, {memory.files, {begin, begin + inputs}}, patience));
  run_given(Precision::float32, memory);
  EXPECT_EQ(given.read<float>(static_cast<std::size_t>(inputs + state)),
            output<float>(Precision::float32, 128));
}

TEST(OracleRuns, WidenComplexNumbers) {
  const auto task = task_with_inputs("return [torch.rand(4, dtype=torch.complex64)]");
  auto shelf = shelf_for(described(task), Precision::float64);
  const auto memory = shelf.memory();
  prepare(task);
  const std::vector<std::complex<double>> values(4, {0x1p-40 + 1, -2});
  shelf.write(0, values);
  run_given(Precision::float64, memory);
  EXPECT_EQ(shelf.read<std::complex<double>>(1), values);
}

/// Two numbers a row for each of three; `second` is written behind what is returned first.
const TaskText kViews{"views", R"(
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2, x[:, :1], x.t()
def get_inputs():
    return [torch.rand(3, 2)]
def get_init_inputs():
    return []
)"};

TEST(OracleRuns, MayWriteOutputsOverArgumentsThatTheyAreViewsOf) {
  const auto task = described(kViews);
  value_of(shared_oracle().load(kViews, {42}, {}, patience));
  value_of(shared_oracle().draw_shapes(0, patience));
  Shelf shelf;
  for (const int bytes : {24, 24, 12, 24}) shelf.add(bytes);
  auto memory = shelf.memory();
  shelf.write<float>(0, {1, 2, 3, 4, 5, 6});
  memory.places[1].offset = 0;  // over the argument
  run_given(Precision::float32, memory);
  EXPECT_EQ(shelf.read<float>(0), (std::vector<float>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(shelf.read<float>(2), (std::vector<float>{1, 3, 5})) << "a view of what was written over";
  EXPECT_EQ(shelf.read<float>(3), (std::vector<float>{1, 3, 5, 2, 4, 6}));
}

TEST(OracleRuns, TakeSomeRowsOfABatch) {
  value_of(shared_oracle().load(kViews, {42}, {}, patience));
  value_of(shared_oracle().draw_shapes(0, patience));
  Shelf shelf;
  for (const int bytes : {16, 16, 8, 16}) shelf.add(bytes);
  const auto memory = shelf.memory();
  shelf.write<float>(0, {1, 2, 3, 4});
  value_of(
      shared_oracle().run({.arguments = Arguments::given, .rows = 2, .batched = {true}}, memory, patience));
  EXPECT_EQ(shelf.read<float>(1), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(shelf.read<float>(2), (std::vector<float>{1, 3}));
}

/// More weights than a copy is kept of, and a buffer that forward writes to.
const TaskText kLarge{"large", R"(
import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1 << 26, 1))
        self.tied = self.weight
        self.register_buffer('calls', torch.zeros(2))
        self.counted = 0
    def forward(self, x):
        self.calls += 1
        self.counted += 1
        return x * self.weight[:2, 0] + self.tied[-1, 0] + self.calls + self.counted
def get_inputs():
    return [torch.rand(2)]
def get_init_inputs():
    return []
)"};

TEST(OracleRuns, OnLargeStateUseItWhereItLiesAndDoNotDependOnEarlierRuns) {
  value_of(shared_oracle().load(kLarge, {42}, {}, patience));
  value_of(shared_oracle().draw_shapes(0, patience));
  constexpr std::size_t kElements = std::size_t{1} << 26;
  Shelf shelf;
  for (const std::size_t elements : {std::size_t{2}, kElements, std::size_t{2}, std::size_t{2}})
    shelf.add(elements * sizeof(float));
  const auto memory = shelf.memory();
  std::vector<float> weights(kElements, 3);
  weights.back() = 100;
  for (int run = 0; run < 2; ++run) {
    shelf.write<float>(0, {1, 2});
    shelf.write<float>(1, weights);
    shelf.write<float>(2, {10, 20});
    run_given(Precision::float32, memory);
    EXPECT_EQ(shelf.read<float>(3), (std::vector<float>{3 + 100 + 11 + 1, 6 + 100 + 21 + 1})) << run;
    EXPECT_EQ(shelf.read<float>(2), (std::vector<float>{10, 20})) << "forward writes to a copy of buffers";
  }
  value_of(
      shared_oracle().load(task_named("level2/1_dropout"), {42}, {}, patience));  // gives the memory back
}

TEST(OracleRuns, RefusePlacesOfTheWrongSize) {
  prepare(task_named("level1/5_hidden_state"));
  Shelf shelf;
  shelf.add(64);
  const auto memory = shelf.memory();
  EXPECT_THAT(failure_of(shared_oracle().run({}, memory, patience)),
              HasSubstr("128 bytes does not go into a place of 64"));
  EXPECT_THAT(failure_of(shared_oracle().run({.arguments = Arguments::given}, memory, patience)),
              HasSubstr("does not go into a place of 64"));
  output<float>(Precision::float32, 32);  // and what is drawn outlives that
}

}  // namespace
}  // namespace ridgeline::oracle
