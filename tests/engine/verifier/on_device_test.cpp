// Torch's operators give the figures of the CPU's loops; both run on the CPU here.
#include "engine/verifier/on_device.hpp"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "engine/verifier/closeness.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/verifier/fit.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/ordinary_tolerance.hpp"
#include "engine/verifier/perturb.hpp"
#include "samples.hpp"
#include "synthetic_runs.hpp"

namespace ridgeline::verifier {
namespace {

std::span<const double> values_of(const at::Tensor& t) {
  return {static_cast<const double*>(t.const_data_ptr()), static_cast<std::size_t>(t.numel())};
}

void expect_same_tolerances(const SyntheticRuns& made, const Precision& precision,
                            std::int64_t most = kPieceElements) {
  const auto oracle = made.oracle;
  ReferenceRuns runs{oracle.numel(),
                     oracle.size(-1),
                     1,
                     values_of(oracle),
                     values_of(made.own),
                     values_of(made.draws[0]),
                     values_of(made.draws[1]),
                     {values_of(made.draws[2]), values_of(made.draws[3])}};
  std::vector<double> tolerance(values_of(oracle).size()), scale(tolerance.size());
  derive_tolerance(precision, runs, tolerance, scale);
  const auto before = oracle.clone();
  const auto derived = derive_tolerance(precision, oracle, made.own, responses_of(made), most);
  EXPECT_TRUE(oracle.equal(before) || !oracle.equal(oracle)) << "the oracle must not be changed";
  ASSERT_EQ(derived.tolerance.sizes(), oracle.sizes());
  const auto by_tensors = values_of(derived.tolerance);
  for (std::size_t i = 0; i < tolerance.size(); ++i) {
    if (std::isinf(tolerance[i])) {
      EXPECT_EQ(by_tensors[i], tolerance[i]) << i;
    } else {
      EXPECT_NEAR(by_tensors[i], tolerance[i], 1e-12 * tolerance[i]) << i << " of " << values_of(oracle)[i];
    }
    if (!std::isfinite(scale[i])) continue;
    EXPECT_NEAR(values_of(derived.scale)[i], scale[i], 1e-12 * scale[i]) << i;
  }
}

TEST(OnDevice, OperatorsDeriveTheTolerancesOfTheLoops) {
  for (const double reduction : {1.0, 300.0})
    for (const auto dtype : {DType::float32, DType::float16}) {
      expect_same_tolerances(make_difficult_runs(37, 41, 1),
                             precision_of(dtype, reduction, InputSet::standard, 1, false));
      expect_same_tolerances(make_difficult_runs(3, 1000, 2),
                             precision_of(dtype, reduction, InputSet::edge, 1, false));
      expect_same_tolerances(make_difficult_runs(1000, 2, 3),
                             precision_of(dtype, reduction, InputSet::standard, 2, true));
      // A few rows at a time, the last of them fewer.
      expect_same_tolerances(make_difficult_runs(37, 41, 1),
                             precision_of(dtype, reduction, InputSet::standard, 1, false), 5 * 41);
    }
}

TEST(OnDevice, OrdinaryOutputsGetTheSameTolerancesByTheShortDerivation) {
  for (const double reduction : {1.0, 300.0}) {
    const auto precision = precision_of(DType::float32, reduction, InputSet::standard, 1, false);
    for (const auto& made :
         {make_ordinary_runs(37, 41, 1), make_ordinary_runs(3, 1000, 2), make_ordinary_runs(900, 2, 3)}) {
      EXPECT_TRUE(derive_ordinary_tolerance(precision, made.oracle, made.own, responses_of(made), 5 * 41));
      expect_same_tolerances(made, precision);
      expect_same_tolerances(made, precision, 5 * 41);
    }
    const auto made = make_difficult_runs(37, 41, 1);
    EXPECT_FALSE(
        derive_ordinary_tolerance(precision, made.oracle, made.own, responses_of(made), kPieceElements));
  }
}

TEST(OnDevice, AnOutputWithOneNonFiniteElementIsNotOrdinary) {
  const auto precision = precision_of(DType::float32, 300, InputSet::standard, 1, false);
  for (const double odd : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto made = make_ordinary_runs(37, 41, 1);
    made.own[2][5] = odd;  // not in the last of the pieces
    EXPECT_FALSE(derive_ordinary_tolerance(precision, made.oracle, made.own, responses_of(made), 5 * 41))
        << odd;
  }
}

TEST(OnDevice, PerturbingKeepsInfinitiesAndZeros) {
  const auto inputs = at::tensor(std::vector<float>{1, -std::numeric_limits<float>::infinity(), 0, 3,
                                                    std::numeric_limits<float>::infinity()});
  auto moved = at::empty({5}, at::TensorOptions().dtype(at::kDouble));
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    widen_into(moved, inputs, first_step, seed);
    const auto values = values_of(moved);
    EXPECT_EQ(values[1], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(values[4], std::numeric_limits<double>::infinity());
    EXPECT_EQ(values[2], 0);
    for (const std::size_t i : {0U, 3U}) {
      const double by = std::fabs(values[i] / (i == 0 ? 1 : 3) - 1) / first_step;
      EXPECT_GE(by, 0.499) << i;
      EXPECT_LE(by, 1.501) << i;
    }
  }
}

TEST(OnDevice, TheShortDerivationKeepsFloat32ForManyElements) {
  // As few elements as a median of large outputs samples; with more, the medians would rightly differ.
  const auto made = make_ordinary_runs(31, 31, 4);
  const auto precision = precision_of(DType::float32, 300, InputSet::standard, 1, false);
  const auto wide =
      derive_ordinary_tolerance(precision, made.oracle, made.own, responses_of(made), kPieceElements);
  const auto narrow =
      derive_ordinary_tolerance(precision, made.oracle, made.own, responses_of(made, 1), 3 * 31);
  ASSERT_TRUE(wide && narrow);
  EXPECT_EQ(narrow->tolerance.scalar_type(), at::kFloat);
  for (const auto& [a, b] :
       {std::pair(wide->tolerance, narrow->tolerance), std::pair(wide->scale, narrow->scale)}) {
    const auto widened = b.to(at::kDouble);
    for (std::size_t i = 0; i < values_of(a).size(); ++i)
      EXPECT_NEAR(values_of(widened)[i], values_of(a)[i], 1e-5 * values_of(a)[i]) << i;
  }
}

/// The reference's own outputs pass both ways with the same figures; with one element changed, neither way.
void expect_same_judgement(const Task& task) {
  EXPECT_TRUE(judged_on_device(task)) << task.name;
  const auto& one = task.cases.front();
  for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge}) {
    const Trial trial(task, set);
    const auto got = as_written(task, one, trial.expected.own);
    const auto plain = compare(task, one, set, trial.expected, got);
    const auto passed = compare_on_device(task, one, set, trial.expected, got);
    ASSERT_EQ(passed.has_value(), plain.ok) << task.name << " " << plain.detail;
    if (!passed) continue;
    ASSERT_EQ(passed->errors.size(), plain.errors.size());
    for (std::size_t i = 0; i < plain.errors.size(); ++i) {
      EXPECT_DOUBLE_EQ(passed->errors[i].median, plain.errors[i].median) << task.name;
      EXPECT_DOUBLE_EQ(passed->errors[i].p99, plain.errors[i].p99) << task.name;
      EXPECT_DOUBLE_EQ(passed->errors[i].worst, plain.errors[i].worst) << task.name;
    }
    ASSERT_EQ(passed->quantization.size(), plain.quantization.size());
    for (std::size_t i = 0; i < plain.quantization.size(); ++i) {
      EXPECT_NEAR(passed->quantization[i].cosine, plain.quantization[i].cosine, 1e-12);
      EXPECT_NEAR(passed->quantization[i].sqnr_db, plain.quantization[i].sqnr_db, 1e-9);
    }
    auto broken = got;
    broken.front() = got.front().clone();
    broken.front().reshape(-1).slice(0, 3, 4).fill_(99);
    EXPECT_FALSE(compare_on_device(task, one, set, trial.expected, broken)) << task.name;
    EXPECT_FALSE(compare(task, one, set, trial.expected, broken).ok) << task.name;
  }
}

TEST(OnDevice, OperatorsAcceptWhatTheLoopsAcceptWithTheSameFigures) {
  expect_same_judgement(row_sum());
  expect_same_judgement(row_sum(DType::bfloat16));
  expect_same_judgement(matmul(DType::float16));
  expect_same_judgement(elementwise("torch.exp(x)"));
  expect_same_judgement(elementwise("torch.log(x)"));
  expect_same_judgement(matmul_w8a8());
  expect_same_judgement(masked_select());
}

TEST(OnDevice, LargeOutputsOnTheCpuGetTheSameTolerancesByOperators) {
  for (const auto& task : {row_sum(), matmul(DType::float16), elementwise("torch.log(x)"), matmul_w8a8()}) {
    const auto& one = task.cases.front();
    const auto reference = TorchScript::compile(task);
    for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge}) {
      const auto inputs = draw_inputs(task, one, set, 11);
      const auto plain = expect(reference, task, one, set, inputs);
      const auto folded = expect(reference, task, one, set, inputs, /*many=*/1);
      ASSERT_EQ(folded.tolerance.size(), plain.tolerance.size());
      for (std::size_t i = 0; i < plain.tolerance.size(); ++i) {
        ASSERT_EQ(folded.tolerance[i].defined(), plain.tolerance[i].defined());
        if (!plain.tolerance[i].defined()) continue;
        ASSERT_EQ(folded.tolerance[i].scalar_type(), at::kDouble) << "which the loops compare in";
        const auto a = values_of(folded.tolerance[i]);
        const auto b = values_of(plain.tolerance[i]);
        for (std::size_t k = 0; k < b.size(); ++k)
          ASSERT_TRUE(a[k] == b[k] || std::fabs(a[k] - b[k]) <= 1e-9 * b[k]) << task.name << " " << k;
      }
    }
  }
}

/// The device path ignored rounding ties and refused an honest kernel of attention_w8a8 in some runs.
TEST(OnDevice, ARoundingTieExcusesAnElementByOperatorsToo) {
  const Trial trial(matmul_w8a8());
  const auto& expected = trial.expected;
  const auto& task_case = trial.task.cases.front();
  const auto off_by = [&](double rooms) {
    const auto moved = expected.oracle[0].clone();
    moved.view(-1)[7] += expected.tolerance[0].view(-1)[7].item<double>() + rooms * expected.tie_room[0];
    return compare_by_operators(trial.task, task_case, trial.set, expected, {moved.to(at::kFloat)});
  };
  EXPECT_TRUE(off_by(0.5).ok);
  EXPECT_FALSE(off_by(3).ok);
}

TEST(OnDevice, BringsTheRowsFromTheFirstWrongElementOnOfALargeOutput) {
  const auto task = matmul();
  const auto& one = task.cases.front();
  const Trial trial(task, InputSet::standard);
  auto got = as_written(task, one, trial.expected.own);
  const auto rows = got[0].size(0), columns = got[0].size(1);
  ASSERT_GT(rows, 4);
  got[0][3][1] += 1;
  const auto part = bring_to_cpu(task, trial.expected, got, 2 * columns);
  EXPECT_EQ(part.got[0].size(0), 2);
  EXPECT_TRUE(part.part.starts_with("rows 3 to 4 of '")) << part.part;
  const auto compared = compare(part.task, one, InputSet::standard, part.expected, part.got);
  EXPECT_FALSE(compared.ok);
  ASSERT_TRUE(compared.mismatch);
  EXPECT_EQ(compared.mismatch->wrong, 1);
  const auto all = bring_to_cpu(task, trial.expected, got, rows * columns);
  EXPECT_EQ(all.part, "");
  EXPECT_EQ(all.got[0].size(0), rows);
}

TEST(OnDevice, AllCloseDecidesAlikeInLoopsAndInOperators) {
  const auto of = [](std::initializer_list<float> values) {
    return at::tensor(std::vector<float>(values), at::TensorOptions().dtype(at::kFloat));
  };
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  const auto one = of({1}), near = of({1.00015F}), far = of({1.01F}), broken = of({nan}), endless = of({inf});
  int close = 0;
  for (const Closeness& rule :
       {Closeness{.tolerance = 1e-4}, Closeness{.tolerance = 1e-4, .nan_equals_nan = false},
        Closeness{.tolerance = 1e-4, .relative_to_got = true}, Closeness{.exact = true}})
    for (const auto& got : {one, near, far, broken, endless, endless.neg()})
      for (const auto& own : {one, near, far, broken, endless}) {
        const bool by_loops = all_close(rule, DType::float32, got, own);
        EXPECT_EQ(all_close_by_operators(rule, got, own), by_loops);
        close += by_loops;
      }
  EXPECT_EQ(close, 25);  // itself but for a NaN that equals none, and the near one both ways but where exact
}

TEST(OnDevice, StatisticsAndSignsAreJudgedOnTheCpu) {
  EXPECT_FALSE(judged_on_device(dropout()));
  EXPECT_FALSE(judged_on_device(smallest_gelu()));
  EXPECT_TRUE(judged_on_device(dropout_with_mask())) << "but for the mask";
  EXPECT_FALSE(judged_on_device(qr()));
  EXPECT_FALSE(judged_on_device(elementwise("x * x", DType::complex64)));
}

}  // namespace
}  // namespace ridgeline::verifier
