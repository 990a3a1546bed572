// Derivations that are cut into slices give what whole ones give, and nothing is cut that rows of a batch
// share. A reference in TorchScript that takes any number of rows stands for a module.
#include "engine/verifier/slices.hpp"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/more_draws.hpp"
#include "engine/verifier/perturb.hpp"
#include "engine/verifier/tolerance_on_device.hpp"
#include "samples.hpp"
#include "synthetic_runs.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::int64_t kFolded = 1;  // derives by operators, whatever the size
// Of responses to steps of 2^-36 float64 leaves 16 digits, and sums of other shapes are added in other
// orders.
constexpr double kConditions = 1e-3;

/// Runs some rows alone. Perturbations are those of the whole run, so that results can be compared.
class RowsAlone final : public Reference {
 public:
  explicit RowsAlone(const Task& task) : script_(TorchScript::compile(task)) {}

  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& one) const override {
    ++whole_runs;
    return script_.run(args, one);
  }
  bool runs_rows() const override { return true; }
  std::vector<at::Tensor> run_rows(const std::vector<at::Tensor>& args, const std::vector<bool>& batched,
                                   Rows rows, const Case& one, double step, std::uint64_t seed,
                                   bool widened) const override {
    ++slices_run;
    auto cut = !widened ? args : step == 0 ? widen(args) : perturbed(widen(args), step, seed);
    for (std::size_t i = 0; i < cut.size(); ++i)
      if (batched[i]) cut[i] = cut[i].narrow(0, rows.begin, rows.count).contiguous();
    return script_.run(cut, one);
  }
  mutable int whole_runs = 0, slices_run = 0;

 private:
  TorchScript script_;
};

Task of_rows(const std::string& reference, double reduction = 1) {
  Elementwise contract;
  contract.reduction = Expression::parse(std::to_string(static_cast<int>(reduction)));
  return sample("rows", {{"M", 37}, {"N", 41}},
                {input("x", DType::float32, {"M", "N"}), input("w", DType::float32, {"N", "N"}),
                 output("out", DType::float32, {"M", "N"})},
                "def reference(x, w):\n    return " + reference + "\n", contract);
}

const std::vector<std::string> independent{"torch.tanh(x) * 3", "torch.softmax(x, dim=1)",
                                           "torch.matmul(x, w)", "x / (1 + (x * x).sum(1, keepdim=True))"};

TEST(Slices, GiveTheExpectationsOfWholeRuns) {
  for (const auto& text : independent)
    for (const auto set : sets) {
      const auto task = of_rows(text, 41);
      const auto& one = task.cases.front();
      const RowsAlone reference(task);
      const auto inputs = draw_inputs(task, one, set, 11);
      const auto whole = expect(reference, task, one, set, inputs, kFolded);
      EXPECT_FALSE(whole.slice_plan.cuts());
      for (const std::int64_t slice : {41, 5 * 41, 36 * 41}) {
        const auto cut = expect(reference, task, one, set, inputs, kFolded, slice);
        EXPECT_EQ(cut.slice_plan.slice_rows, slice / 41) << text << " was not cut";
        EXPECT_TRUE(at::equal(cut.own[0], whole.own[0]));
        EXPECT_TRUE(at::allclose(cut.oracle[0], whole.oracle[0], 1e-13, 1e-13)) << text;
        EXPECT_TRUE(at::allclose(cut.tolerance[0], whole.tolerance[0], kConditions, 0)) << text;
        EXPECT_TRUE(at::allclose(cut.scale[0], whole.scale[0], kConditions, 0)) << text;
      }
    }
}

TEST(Slices, MoreDrawsAreCutAsTheExpectationWas) {
  const auto task = of_rows("torch.matmul(x, w)", 41);
  const auto& one = task.cases.front();
  const RowsAlone reference(task);
  const auto inputs = draw_inputs(task, one, InputSet::standard, 11);
  const auto whole = expect(reference, task, one, InputSet::standard, inputs, kFolded);
  const auto cut = expect(reference, task, one, InputSet::standard, inputs, kFolded, 5 * 41);
  const auto before = reference.slices_run;
  const auto raised = with_more_draws(reference, task, one, InputSet::standard, inputs, cut);
  EXPECT_GT(reference.slices_run, before);
  const auto wanted = with_more_draws(reference, task, one, InputSet::standard, inputs, whole);
  EXPECT_TRUE(at::allclose(raised.tolerance[0], wanted.tolerance[0], kConditions, 0));
}

TEST(Slices, RowsThatDependOnOthersAreComputedTogether) {
  for (const auto* text : {"x / (1 + x.norm())", "torch.softmax(x, dim=0)", "x - x.mean(dim=0, keepdim=True)",
                           "torch.cumsum(x, dim=0)", "torch.roll(x, 1, 0)", "torch.flip(x, [0])",
                           "torch.minimum(x, x.max() * 0.9999)"})
    for (const auto set : sets) {
      const auto task = of_rows(text, 37);
      const auto& one = task.cases.front();
      const RowsAlone reference(task);
      const auto inputs = draw_inputs(task, one, set, 11);
      const auto cut = expect(reference, task, one, set, inputs, kFolded, 5 * 41);
      EXPECT_FALSE(cut.slice_plan.cuts()) << text << ", " << to_string(set);
      const auto whole = expect(reference, task, one, set, inputs, kFolded);
      EXPECT_TRUE(at::equal(cut.oracle[0], whole.oracle[0])) << text;
      EXPECT_TRUE(at::equal(cut.tolerance[0], whole.tolerance[0])) << text;
    }
}

TEST(Slices, ASquareMatrixIsNoBatch) {
  // Both arguments have as many rows as the output, and only one of them is a batch.
  auto task = sample("square", {{"N", 40}},
                     {input("x", DType::float32, {"N", "N"}), input("y", DType::float32, {"N", "N"}),
                      output("out", DType::float32, {"N", "N"})},
                     "def reference(x, y):\n    return torch.matmul(x, y)\n", Elementwise{});
  const auto& one = task.cases.front();
  const RowsAlone reference(task);
  const auto inputs = draw_inputs(task, one, InputSet::standard, 11);
  EXPECT_FALSE(expect(reference, task, one, InputSet::standard, inputs, kFolded, 5 * 40).slice_plan.cuts());
}

TEST(Slices, InputsThatAreTheSameInEachDrawProveNothing) {
  auto task = sample("ones", {{"M", 37}, {"N", 41}},
                     {input("x", DType::float32, {"M", "N"}, Draw::constant, "1", "1"),
                      output("out", DType::float32, {"M", "N"})},
                     "def reference(x):\n    return x + x.mean()\n", Elementwise{});
  const auto& one = task.cases.front();
  const RowsAlone reference(task);
  const auto inputs = draw_inputs(task, one, InputSet::standard, 11);
  EXPECT_FALSE(expect(reference, task, one, InputSet::standard, inputs, kFolded, 5 * 41).slice_plan.cuts());
}

TEST(Slices, ArePlannedForBatchesOfFloatingOutputsAlone) {
  const auto task = of_rows("x");
  const auto plan = plan_slices(task, task.cases[0], 5 * 41 + 40);
  EXPECT_EQ(plan.slice_rows, 5);
  EXPECT_EQ(plan.all_rows, 37);
  EXPECT_EQ(plan.cut_inputs, (std::vector<bool>{true, false}));
  EXPECT_EQ(plan_slices(task, task.cases[0], 1).slice_rows, 1) << "a row is the least";
  EXPECT_FALSE(plan_slices(task, task.cases[0], 37 * 41).cuts()) << "the whole is no larger";
  EXPECT_FALSE(plan_slices(task, task.cases[0], 0).cuts());
  EXPECT_FALSE(plan_slices(masked_select(), masked_select().cases[0], 10).cuts());
  EXPECT_FALSE(plan_slices(matmul_w8a8(), matmul_w8a8().cases[0], 10).cuts());
  EXPECT_FALSE(plan_slices(dropout(), dropout().cases[0], 10).cuts());
}

TEST(Slices, AgreementIsUpToRoundingOfEachRow) {
  auto oracle = at::randn({40, 50}, at::TensorOptions().dtype(at::kDouble));
  oracle.narrow(0, 1, 1).mul_(1e6);
  EXPECT_TRUE(agree_up_to_rounding(oracle, oracle.to(at::kFloat)));
  for (const std::int64_t row : {0, 1, 39}) {
    auto own = oracle.to(at::kFloat);
    own.select(0, row).select(0, 49).add_(0.01 * (row == 1 ? 1e6 : 1));
    EXPECT_FALSE(agree_up_to_rounding(oracle, own)) << row;
  }
  EXPECT_FALSE(agree_up_to_rounding(oracle, oracle.narrow(0, 0, 39).to(at::kFloat)));
  // The same infinity and no number at the same places are the same; a number in their place is not.
  for (const double special :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto with = oracle.clone();
    with.select(0, 3).fill_(special);
    EXPECT_TRUE(agree_up_to_rounding(with, with.to(at::kFloat))) << special;
    EXPECT_FALSE(agree_up_to_rounding(with, oracle.to(at::kFloat))) << special;
    EXPECT_FALSE(agree_up_to_rounding(oracle, with.to(at::kFloat))) << special;
  }
}

TEST(Slices, OutputsOfOtherRowsThanTheSliceHasAreAnError) {
  const auto task = of_rows("x.sum(dim=0, keepdim=True).expand(3, x.size(1))");
  const auto& one = task.cases.front();
  const RowsAlone reference(task);
  const auto inputs = draw_inputs(task, one, InputSet::standard, 11);
  EXPECT_THROW(run_in_slices(reference, task, one, inputs, plan_slices(task, one, 5 * 41), 0, 0,
                             [](std::int64_t, const std::vector<at::Tensor>&) {}),
               BadInput);
}

/// The same tolerances, whether they may take the place of responses or not.
void expect_same_in_place(const SyntheticRuns& made, double reduction) {
  const auto precision = precision_of(DType::float32, reduction, InputSet::standard, 1, false);
  const auto responses = [&] {
    Responses of(made.oracle, /*many=*/1);
    for (std::size_t number = 0; number < made.draws.size(); ++number) of.add(made.draws[number], number);
    return of;
  };
  const auto own = made.own.to(at::kFloat);
  const auto apart = derive_tolerance(precision, made.oracle, own, responses(), 7 * 20);
  auto expendable = responses();
  expendable.may_be_written_over();
  const auto in_place = derive_tolerance(precision, made.oracle, own, expendable, 7 * 20);
  EXPECT_EQ(in_place.tolerance.const_data_ptr(), expendable.first().const_data_ptr()) << "not in place";
  EXPECT_TRUE(at::allclose(in_place.tolerance, apart.tolerance, 0, 0, /*equal_nan=*/true));
  EXPECT_TRUE(at::allclose(in_place.scale, apart.scale, 0, 0, /*equal_nan=*/true));
}

TEST(Slices, TolerancesOfLargeOutputsMayTakeThePlaceOfResponses) {
  for (const double reduction : {1.0, 300.0}) {
    expect_same_in_place(make_ordinary_runs(900, 20, 3), reduction);
    expect_same_in_place(make_difficult_runs(1100, 20, 3), reduction);
  }
}

TEST(Slices, ResponsesTakeARunPartByPart) {
  const auto made = make_ordinary_runs(30, 20, 3);
  Responses whole(made.oracle), parts(made.oracle);
  for (std::size_t number = 0; number < made.draws.size(); ++number) {
    whole.add(made.draws[number], number);
    for (std::int64_t row = 0; row < 30; row += 7)
      parts.add(made.draws[number].narrow(0, row, std::min<std::int64_t>(7, 30 - row)), number, row * 20);
  }
  EXPECT_TRUE(at::equal(parts.first(), whole.first()));
  EXPECT_TRUE(at::equal(parts.second(), whole.second()));
  EXPECT_EQ(parts.largest_first(), whole.largest_first());
  EXPECT_EQ(parts.largest_second(), whole.largest_second());
}

}  // namespace
}  // namespace ridgeline::verifier
