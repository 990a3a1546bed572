#include "engine/verifier/inputs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_det.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/matmul.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string_view>

#include "engine/core/error.hpp"
#include "engine/verifier/input_stream.hpp"
#include "engine/verifier/number_blocks.hpp"
#include "engine/verifier/random.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

Task of_one(const Tensor& x, const Symbols& sizes = {{"M", 24}, {"N", 24}}) {
  auto y = x;
  y.name = "y";
  y.role = Role::out;
  y.input = {};
  return sample("any", sizes, {x, y}, "def reference(x):\n    return x\n", Exact{});
}

at::Tensor draw(const Tensor& x, InputSet set, std::uint64_t seed = 5) {
  const auto task = of_one(x);
  return draw_inputs(task, task.cases[0], set, seed)[0];
}

bool holds(const at::Tensor& condition) {
  return condition.all().item().toBool();
}

TEST(Inputs, AreAFunctionOfTheSeed) {
  const auto x = input("x", DType::float32, {"M", "N"});
  for (const auto set : sets) {
    EXPECT_TRUE(at::equal(draw(x, set, 1), draw(x, set, 1)));
    EXPECT_FALSE(at::equal(draw(x, set, 1), draw(x, set, 2)));
  }
}

TEST(Inputs, DrawEveryDtypeInEverySet) {
  for (const auto& [dtype, name] : enum_names(DType{})) {
    const bool real = is_floating(dtype) || is_complex(dtype);
    const auto x =
        real ? input("x", dtype, {"M", "N"}) : input("x", dtype, {"M", "N"}, Draw::uniform, "0", "2");
    for (const auto set : sets) {
      const auto drawn = draw(x, set);
      EXPECT_EQ(drawn.numel(), 24 * 24) << name;
      EXPECT_TRUE(holds(drawn.isfinite())) << name;
      EXPECT_FALSE(holds(drawn == drawn.flatten()[0])) << name;
    }
  }
}

TEST(Inputs, UniformStaysInItsRangeInEverySet) {
  for (const auto dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
    auto x = input("x", dtype, {"M", "N"}, Draw::uniform, "0.25", "1");
    x.input.outliers = false;
    for (const auto set : sets) {
      const auto drawn = draw(x, set).to(at::kDouble);
      EXPECT_TRUE(holds(drawn >= 0.25) && holds(drawn < 1));
    }
  }
}

TEST(Inputs, NormalIntegersStayInTheRangeOfTheirDtypeInEverySet) {
  const auto narrow = input("x", DType::uint8, {"M", "N"}, Draw::normal, "0", "100");
  const auto drawn = draw(narrow, InputSet::edge);
  EXPECT_EQ(drawn.min().item().toLong(), 0) << "the extremes of the range are there";
  EXPECT_EQ(drawn.max().item().toLong(), 255);
  for (const auto set : sets) {
    const auto wide =
        draw(input("x", DType::int64, {"M", "N"}, Draw::normal, "0", "9223372036854775808"), set);
    EXPECT_GT(wide.max().item().toLong(), 0);
    const auto bytes = draw(input("x", DType::boolean, {"M", "N"}), set).view(at::kByte);
    EXPECT_TRUE(holds(bytes <= 1)) << "a bool is 0 or 1";
  }
}

TEST(Inputs, IndicesStayInRangeInEverySetAndReachBothEnds) {
  const auto x = input("x", DType::int64, {"M", "N"}, Draw::uniform, "0", "N");
  for (const auto set : sets) {
    const auto drawn = draw(x, set);
    EXPECT_EQ(drawn.min().item().toLong(), 0);
    EXPECT_EQ(drawn.max().item().toLong(), 23);
  }
}

TEST(Inputs, OutliersAreRareAndLargeAndExistInASmallTensorToo) {
  auto x = input("x", DType::float32, {"M", "N"}, Draw::uniform, "1", "2");
  const auto large = (draw(x, InputSet::outlier) >= 50).sum().item().toLong();
  EXPECT_GE(large, 1);
  EXPECT_LE(large, 8);
  x.input.outliers = false;
  EXPECT_EQ((draw(x, InputSet::outlier) >= 50).sum().item().toLong(), 0);
}

TEST(Inputs, TheLastElementOfAMaskIsTrueAmongOutliers) {
  auto mask = input("mask", DType::boolean, {"M", "N"}, Draw::bernoulli);
  mask.input.low = Expression::parse("0");
  mask.input.high = Expression::parse("1 / 1000");
  const auto drawn = draw(mask, InputSet::outlier).reshape(-1);
  EXPECT_TRUE(drawn[-1].item().toBool());
  EXPECT_LT(drawn.sum().item().toLong(), 10);
  mask.input.high = Expression::parse("0");
  EXPECT_EQ(draw(mask, InputSet::outlier).sum().item().toLong(), 0) << "no element may be true";
}

TEST(Inputs, EdgesHoldZerosTiesExtremesAndTinyValues) {
  const auto drawn = draw(input("x", DType::float32, {"M", "N"}), InputSet::edge);
  const auto size = drawn.abs();
  EXPECT_GT((drawn == 0).sum().item().toLong(), 0);
  EXPECT_GT(((drawn == 0) & drawn.signbit()).sum().item().toLong(), 0);
  EXPECT_GT((size == 12).sum().item().toLong(), 0);
  EXPECT_GT(((size > 0) & (size < 1e-36)).sum().item().toLong(), 0);
  const auto equal_rows = ((drawn == drawn.narrow(1, 0, 1)).all(1)) & (drawn.narrow(1, 0, 1).squeeze(1) != 0);
  EXPECT_GT(equal_rows.sum().item().toLong(), 0);
}

TEST(Inputs, SortedPermutationAndProbabilitiesKeepTheirInvariants) {
  for (const auto set : sets) {
    const auto sorted = draw(input("x", DType::float32, {"M", "N"}, Draw::sorted, "-1", "1"), set);
    EXPECT_TRUE(holds(sorted.narrow(1, 1, 23) >= sorted.narrow(1, 0, 23)));
    const auto permuted = draw(input("x", DType::int64, {"M", "N"}, Draw::permutation), set);
    for (std::int64_t r = 0; r < 24; ++r) {
      const auto* row = data<std::int64_t>(permuted) + r * 24;
      EXPECT_EQ(std::set<std::int64_t>(row, row + 24).size(), 24U);
      EXPECT_EQ(*std::max_element(row, row + 24), 23);
    }
    const auto probable = draw(input("x", DType::float32, {"M", "N"}, Draw::probabilities), set);
    EXPECT_TRUE(holds(probable > 0));
    EXPECT_TRUE(holds((probable.sum(1) - 1).abs() < 1e-5));
  }
}

TEST(Inputs, MatricesKeepTheirInvariants) {
  for (const auto dtype : {DType::float32, DType::float64, DType::complex64})
    for (const auto set : sets) {
      const auto symmetric = draw(input("x", dtype, {"M", "N"}, Draw::symmetric), set);
      EXPECT_TRUE(at::equal(symmetric, symmetric.mH().resolve_conj()));
      const auto definite = draw(input("x", dtype, {"M", "N"}, Draw::positive_definite), set);
      EXPECT_TRUE(at::equal(definite, definite.mH().resolve_conj()));
      EXPECT_TRUE(holds(at::linalg_eigvalsh(definite) > 0.5));
      const auto values =
          at::linalg_svdvals(draw(input("x", dtype, {"M", "N"}, Draw::well_conditioned), set));
      EXPECT_TRUE(holds(values < 2.01) && holds(values > 0.49));
    }
}

TEST(Inputs, RefuseAnImpossibleDistributionByItsTensorsName) {
  try {
    draw(input("weights", DType::float32, {"M", "N"}, Draw::uniform, "1", "1"), InputSet::standard);
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("'weights'"), std::string::npos);
  }
}

TEST(Inputs, RefuseARangeThatAnIntegerDtypeDoesNotHold) {
  const auto refused = [](DType dtype, const std::string& low, const std::string& high) {
    try {
      draw(input("codes", dtype, {"M", "N"}, Draw::uniform, low, high), InputSet::standard);
      return std::string();
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refused(DType::int8, "-128", "128"), "");
  EXPECT_EQ(refused(DType::uint8, "0", "256"), "");
  EXPECT_EQ(refused(DType::int32, "-2147483648", "2147483648"), "");
  EXPECT_NE(refused(DType::int8, "0", "129").find("'codes'"), std::string::npos);
  EXPECT_NE(refused(DType::int8, "0", "129").find("int8"), std::string::npos);
  EXPECT_NE(refused(DType::uint8, "-1", "5"), "");
  EXPECT_EQ(refused(DType::boolean, "0", "5"), "") << "all but 0 are true";
}

class InputStreams : public testing::TestWithParam<Draw> {};

TEST_P(InputStreams, InstancesAreFreshAndCanBeRebuilt) {
  const auto draw_kind = GetParam();
  const bool whole = draw_kind == Draw::permutation || draw_kind == Draw::bernoulli;
  const auto task = of_one(input("x", whole ? DType::int64 : DType::float32, {"M", "N"}, draw_kind, "0",
                                 draw_kind == Draw::bernoulli ? "0.5" : "1"));
  for (const auto set : sets) {
    const InputStream stream(task, task.cases[0], set, 11), same(task, task.cases[0], set, 11);
    ASSERT_EQ(stream.arguments(), 1U);
    std::set<std::uint64_t> seen;
    for (std::uint64_t instance = 0; instance < 50; ++instance) {
      std::vector<char> buffer(stream.bytes(0));
      stream.refill(instance, 0, buffer.data());
      const auto rebuilt = same.rebuild(instance);
      ASSERT_EQ(std::memcmp(buffer.data(), rebuilt[0].const_data_ptr(), buffer.size()), 0);
      EXPECT_TRUE(stream.unchanged(instance, 0, buffer.data()));
      buffer[buffer.size() / 2] ^= 1;
      EXPECT_FALSE(stream.unchanged(instance, 0, buffer.data()));
      buffer[buffer.size() / 2] ^= 1;
      seen.insert(std::hash<std::string_view>{}({buffer.data(), buffer.size()}));
    }
    EXPECT_EQ(seen.size(), 50U);
  }
}

INSTANTIATE_TEST_SUITE_P(Draws, InputStreams,
                         testing::Values(Draw::normal, Draw::uniform, Draw::bernoulli, Draw::sorted,
                                         Draw::permutation, Draw::probabilities, Draw::positive_definite,
                                         Draw::symmetric, Draw::well_conditioned),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

/// The cosine of the angle between two tensors.
double likeness(const at::Tensor& a, const at::Tensor& b) {
  const auto x = a.to(at::kDouble), y = b.to(at::kDouble);
  return ((x * y).sum() / (x.square().sum() * y.square().sum()).sqrt()).item().toDouble();
}

TEST(InputStreamOfMatrices, MatricesStayDefiniteAndSymmetric) {
  const auto task = of_one(input("x", DType::float32, {"M", "N"}, Draw::positive_definite));
  const InputStream stream(task, task.cases[0], InputSet::standard, 3);
  for (std::uint64_t instance = 0; instance < 8; ++instance) {
    const auto x = stream.rebuild(instance)[0];
    EXPECT_TRUE(at::equal(x, x.mT()));
    EXPECT_TRUE(holds(at::linalg_eigvalsh(x) > 0.5));
  }
}

TEST(InputStreamOfMatrices, NoMatrixIsAMultipleOfAnother) {
  for (const auto draw_kind : {Draw::positive_definite, Draw::symmetric, Draw::well_conditioned}) {
    const auto task = of_one(input("x", DType::float32, {"M", "N"}, draw_kind));
    const InputStream stream(task, task.cases[0], InputSet::standard, 3);
    std::vector<at::Tensor> seen;
    for (std::uint64_t instance = 0; instance < 16; ++instance) {
      auto x = stream.rebuild(instance)[0];
      if (draw_kind == Draw::positive_definite) x = x - 2 * at::eye(24, x.options());  // its mean
      for (const auto& other : seen) EXPECT_LT(std::fabs(likeness(x, other)), 0.3) << to_string(draw_kind);
      seen.push_back(x);
    }
  }
}

TEST(InputStreamOfMatrices, WellConditionedOnesHaveTheSpectrumAndBothSignsOfTheDeterminant) {
  for (const auto dtype : {DType::float64, DType::complex128})
    for (const std::int64_t rows : {1, 5, 24}) {
      const auto task =
          of_one(input("x", dtype, {"M", "N"}, Draw::well_conditioned), {{"M", 24}, {"N", rows}});
      const InputStream stream(task, task.cases[0], InputSet::standard, 3);
      const auto values = at::linalg_svdvals(stream.rebuild(0)[0]);
      const auto k = values.numel();
      for (std::int64_t i = 0; i < k; ++i) {  // one in each k-th part, upper half
        const double value = values[i].item().toDouble(), high = 2 - 1.5 * static_cast<double>(i) / k;
        EXPECT_LE(value, high + 1e-12);
        EXPECT_GE(value, high - 0.75 / static_cast<double>(k) - 1e-12);
      }
    }
  const auto square = of_one(input("x", DType::float64, {"M", "N"}, Draw::well_conditioned));
  const InputStream stream(square, square.cases[0], InputSet::standard, 3);
  int positive = 0;
  for (std::uint64_t instance = 0; instance < 32; ++instance)
    positive += at::linalg_det(stream.rebuild(instance)[0]).item().toDouble() > 0;
  EXPECT_GT(positive, 4);
  EXPECT_LT(positive, 28);
}

TEST(InputStreamOfMatrices, WellConditionedOnesOfABatchShareNoSpectrumAndNoSign) {
  const auto task = of_one(input("x", DType::float64, {"B", "M", "N"}, Draw::well_conditioned),
                           {{"B", 64}, {"M", 6}, {"N", 6}});
  for (const auto set : sets) {
    const InputStream stream(task, task.cases[0], set, 3);
    const auto x = stream.rebuild(0)[0];
    const auto values = at::linalg_svdvals(x), determinants = at::linalg_det(x);
    const auto fewest = values.narrow(0, 1, 63) - values.narrow(0, 0, 63);
    EXPECT_TRUE(holds(fewest.abs().amax(1) > 1e-3));
    const auto positive = (determinants > 0).sum().item().toLong();
    EXPECT_GT(positive, 12);
    EXPECT_LT(positive, 52);
  }
}

TEST(InputStreamOfMatrices, HalfOfTheWellConditionedOnesHaveAFirstPivotOfZeroInEverySet) {
  for (const auto dtype : {DType::float32, DType::complex64})
    for (const std::int64_t batch : {1, 9}) {
      const auto task = of_one(input("x", dtype, {"B", "M", "N"}, Draw::well_conditioned),
                               {{"B", batch}, {"M", 5}, {"N", 4}});
      for (const auto set : sets) {
        const InputStream stream(task, task.cases[0], set, 3);
        const auto x = stream.rebuild(0)[0];
        const auto zeros = (x.select(1, 0).select(1, 0) == 0).sum().item().toLong();
        EXPECT_TRUE(batch == 1 ? zeros == 1 : zeros == 4 || zeros == 5) << zeros;
        const auto values = at::linalg_svdvals(x);
        EXPECT_TRUE(holds(values < 2.01) && holds(values > 0.49));
      }
    }
}

TEST(InputStreamOfNumbers, InstancesAreIndependentAtEveryShiftThatAWindowMightHave) {
  const auto task = of_one(input("x", DType::float32, {"M", "N"}), {{"M", 256}, {"N", 1024}});
  const InputStream stream(task, task.cases[0], InputSet::standard, 3);
  const auto one = stream.rebuild(0)[0].flatten(), two = stream.rebuild(1)[0].flatten();
  const auto count = one.numel();
  for (const std::int64_t shift : {0, 1, 2, 4, 8, 1024, 4096})
    EXPECT_LT(std::fabs(likeness(one.narrow(0, shift, count - shift), two.narrow(0, 0, count - shift))),
              5.1 / std::sqrt(static_cast<double>(count)))
        << shift;
}

TEST(InputStreamOfNumbers, ADescriptionOfTheNumbersGivesTheirBits) {
  auto x = input("x", DType::complex64, {"M", "N"});
  const auto task = of_one(x);
  const InputStream stream(task, task.cases[0], InputSet::standard, 3);
  ASSERT_EQ(stream.count(0), 2 * 24 * 24);
  std::vector<float> numbers(stream.count(0));
  write_numbers(*stream.generation(5, 0), 0, stream.count(0), numbers.data());
  EXPECT_EQ(std::memcmp(numbers.data(), stream.rebuild(5)[0].const_data_ptr(), stream.bytes(0)), 0);
  EXPECT_TRUE(at::equal(stream.values(5, 0, at::kCPU), stream.rebuild(5)[0]));
  EXPECT_FALSE(stream.keeps(0));
  EXPECT_EQ(stream.kept_bytes(), 0);
  EXPECT_FALSE(InputStream(task, task.cases[0], InputSet::edge, 3).generation(5, 0)) << "rows hang together";
  const auto sorted = of_one(input("x", DType::float32, {"M", "N"}, Draw::sorted, "0", "1"));
  EXPECT_FALSE(InputStream(sorted, sorted.cases[0], InputSet::standard, 3).generation(5, 0));
}

}  // namespace
}  // namespace ridgeline::verifier
