// A module as a reference, through a real oracle: what depends on whose module is loaded.
#include <ATen/Context.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/error.hpp"
#include "engine/verifier/perturb.hpp"
#include "engine/verifier/random.hpp"
#include "engine/worker/judge/tasks/module_reference.hpp"

namespace ridgeline::judge {
namespace {

const char* const layer = R"(
import torch
class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)
    def forward(self, x):
        return self.linear(x)
def get_inputs():
    return [torch.rand(2, 3) * torch.rand(2, 3)]
def get_init_inputs():
    return [3]
)";

Tensor tensor(const char* name, Role role, std::vector<const char*> shape, const char* state = "") {
  Tensor made;
  made.name = name;
  made.role = role;
  for (const auto* extent : shape) made.shape.push_back(Expression::parse(extent));
  made.input.draw = Draw::reference;
  made.state = state;
  return made;
}

Task layer_task(const char* text = layer) {
  Task task;
  task.name = "layer";
  task.reference = text;
  task.module = Module{"level1/1_layer", "[3]", "{}", true};
  task.parameters = {tensor("x", Role::in, {"2", "3"}),
                     tensor("weight", Role::in, {"3", "3"}, "linear.weight"),
                     tensor("bias", Role::in, {"3"}, "linear.bias"), tensor("y", Role::out, {"2", "3"})};
  task.cases = {Case{"published", {}, true, false, false, "cpu"}};
  task.hash = hash_of(task);
  return task;
}

std::shared_ptr<SharedOracle> make_oracle() {
  oracle::OracleSettings settings;
  settings.python = RIDGELINE_PYTHON;
  settings.threads = 1;
  return std::make_shared<SharedOracle>(SharedOracle{oracle::OracleProcess(settings)});
}

class OracleAsReference : public testing::Test {
 protected:
  static void SetUpTestSuite() { oracle_ = make_oracle(); }
  static void TearDownTestSuite() { oracle_.reset(); }
  static std::shared_ptr<SharedOracle> oracle_;
};
std::shared_ptr<SharedOracle> OracleAsReference::oracle_;

TEST_F(OracleAsReference, ComputesOnGivenArgumentsInFloat32AndFloat64) {
  const auto task = layer_task();
  const ModuleReference reference(task, {5}, oracle_);
  const auto drawn = reference.draw(1);
  const auto expected = at::addmm(drawn[2], drawn[0], drawn[1].t());
  EXPECT_TRUE(at::allclose(reference.run(drawn, task.cases[0])[0], expected));
  const auto wide = reference.run_in_float64(drawn, task.cases[0])[0];
  EXPECT_EQ(wide.scalar_type(), at::kDouble);
  EXPECT_TRUE(at::allclose(wide, expected.to(at::kDouble)));
}

TEST_F(OracleAsReference, APerturbedRunEqualsARunOnPerturbedArguments) {
  const auto task = layer_task();
  const ModuleReference reference(task, {5}, oracle_);
  const auto drawn = reference.draw(1);
  auto wide = verifier::widen(drawn);
  for (std::size_t i = 0; i < wide.size(); ++i)
    verifier::widen_into(wide[i], drawn[i], 0x1p-10, verifier::Random(9, i + 1).bits(0));
  EXPECT_TRUE(at::equal(reference.run_perturbed(drawn, task.cases[0], 0x1p-10, 9)[0],
                        reference.run(wide, task.cases[0])[0]));
  EXPECT_FALSE(at::equal(reference.run_perturbed(drawn, task.cases[0], 0x1p-10, 9)[0],
                         reference.run_in_float64(drawn, task.cases[0])[0]));
}

TEST_F(OracleAsReference, SomeRowsAloneAreTheRowsOfAWholeRun) {
  const auto task = layer_task();
  const ModuleReference reference(task, {5}, oracle_);
  const auto drawn = reference.draw(1);
  const std::vector<bool> batched{true, false, false};
  const auto whole = reference.run_in_float64(drawn, task.cases[0])[0];
  for (const std::int64_t row : {0, 1}) {
    const auto alone = reference.run_rows(drawn, batched, {row, 1}, task.cases[0], 0, 0)[0];
    ASSERT_EQ(alone.sizes(), (std::vector<std::int64_t>{1, 3}));
    EXPECT_TRUE(at::allclose(alone, whole.narrow(0, row, 1), 1e-14, 1e-14));
  }
  // Perturbed, slices share the weights' numbers and have their own of the batch.
  const auto moved = [&](std::int64_t row) {
    auto wide = verifier::widen(drawn);
    wide[0] = wide[0].narrow(0, row, 1).contiguous();
    verifier::widen_into(wide[0], drawn[0].narrow(0, row, 1), 0x1p-10,
                         verifier::Random(9, 1).bits(static_cast<std::uint64_t>(row)));
    for (std::size_t i = 1; i < wide.size(); ++i)
      verifier::widen_into(wide[i], drawn[i], 0x1p-10, verifier::Random(9, i + 1).bits(0));
    return at::addmm(wide[2], wide[0], wide[1].t());
  };
  for (const std::int64_t row : {0, 1})
    EXPECT_TRUE(at::allclose(reference.run_rows(drawn, batched, {row, 1}, task.cases[0], 0x1p-10, 9)[0],
                             moved(row), 1e-14, 1e-14));
}

TEST_F(OracleAsReference, StateFollowsItsSeedAndInputsFollowTheirs) {
  const ModuleReference reference(layer_task(), {5}, oracle_);
  const auto one = reference.draw(1), same = reference.draw(1), other = reference.draw(2);
  EXPECT_TRUE(at::equal(one[0], same[0]));
  EXPECT_FALSE(at::equal(one[0], other[0]));
  EXPECT_TRUE(at::equal(one[1], other[1]));
}

TEST_F(OracleAsReference, TwoReferencesOfOneTaskKeepTheirOwnWeights) {
  const ModuleReference first(layer_task(), {5}, oracle_), second(layer_task(), {6}, oracle_);
  const auto weights = first.draw(1)[1];
  EXPECT_FALSE(at::equal(second.draw(1)[1], weights));
  EXPECT_TRUE(at::equal(first.draw(1)[1], weights));
}

TEST_F(OracleAsReference, KernelBenchsWeightsFollowItsSeedOnACpu) {
  at::manual_seed(42);
  const double bound = 1 / std::sqrt(3.0);  // torch.nn.Linear's
  const auto expected = at::empty({3, 3}).uniform_(-bound, bound);
  const ModuleReference reference(layer_task(), oracle::kernelbench_weights, oracle_);
  EXPECT_TRUE(at::allclose(reference.draw(1)[1], expected));
}

TEST_F(OracleAsReference, WeightsAreDrawnOnTheDeviceThatTheyName) {
  // On the meta device there are no values to bring to the oracle's own.
  EXPECT_THROW(ModuleReference(layer_task(), {42, "meta"}, oracle_).draw(1), BadInput);
}

TEST_F(OracleAsReference, AModuleThatFailsIsBadInputThatNamesItsLine) {
  const auto task = layer_task("import torch\nraise ValueError('no')\n");
  try {
    ModuleReference(task, {5}, oracle_).draw(1);
    FAIL() << "drawn from a file that cannot be loaded";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("line 2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ridgeline::judge
