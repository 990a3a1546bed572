// Tests drawing on a device, on the CPU, where the same operators of torch run.
#include "engine/verifier/draw_there.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

DrawPlan plan(Draw draw, double low, double high, std::vector<std::int64_t> shape,
              DType dtype = DType::float32) {
  DrawPlan made;
  made.name = "x";
  made.dtype = dtype;
  made.draw = draw;
  made.low = low;
  made.high = high;
  made.shape = std::move(shape);
  made.elements = made.shape[0] * made.shape[1];
  made.row = made.shape[1];
  return made;
}

at::Tensor drawn(const DrawPlan& plan, InputSet set, std::uint64_t seed = 3) {
  return draw_tensor_on_device(plan, set, Random(seed, 0), at::kCPU);
}

double mean_of(const at::Tensor& t) {
  return t.to(at::kDouble).mean().item<double>();
}

TEST(DrawThere, FollowsItsSeedAndItsDistribution) {
  const auto uniform = plan(Draw::uniform, -1, 3, {300, 400});
  const auto x = drawn(uniform, InputSet::standard);
  EXPECT_TRUE(at::equal(x, drawn(uniform, InputSet::standard)));
  EXPECT_FALSE(at::equal(x, drawn(uniform, InputSet::standard, 4)));
  EXPECT_EQ(x.sizes(), c10::IntArrayRef({300, 400}));
  EXPECT_NEAR(mean_of(x), 1, 0.02);
  EXPECT_GE(x.min().item<float>(), -1);
  EXPECT_LT(x.max().item<float>(), 3);
  const auto normal = drawn(plan(Draw::normal, 5, 2, {300, 400}), InputSet::standard);
  EXPECT_NEAR(mean_of(normal), 5, 0.03);
  EXPECT_NEAR(mean_of(normal.sub(5).square()), 4, 0.1);
  const auto labels = drawn(plan(Draw::uniform, 2, 7, {300, 400}, DType::int64), InputSet::standard);
  EXPECT_EQ(labels.min().item<std::int64_t>(), 2);
  EXPECT_EQ(labels.max().item<std::int64_t>(), 6);
  EXPECT_EQ(mean_of(drawn(plan(Draw::constant, 4, 0, {3, 4}), InputSet::standard)), 4);
}

TEST(DrawThere, RoundsNormalNumbersToIntegersInRange) {
  const auto wide = drawn(plan(Draw::normal, 5, 20, {300, 400}, DType::int32), InputSet::standard);
  EXPECT_EQ(wide.scalar_type(), at::kInt);
  EXPECT_NEAR(mean_of(wide), 5, 0.3);
  EXPECT_NEAR(mean_of(wide.to(at::kDouble).sub(5).square()), 400, 10);
  const auto narrow = drawn(plan(Draw::normal, 0, 100, {300, 400}, DType::int8), InputSet::standard);
  // A fifth of the numbers is beyond either end, and none of them wraps around.
  EXPECT_NEAR(mean_of(narrow.eq(127)), 0.103, 0.01);
  EXPECT_NEAR(mean_of(narrow.eq(-128)), 0.101, 0.01);
}

TEST(DrawThere, MakesAThousandthOfTheElementsOutliers) {
  const auto x = drawn(plan(Draw::uniform, 1, 2, {1000, 1000}), InputSet::outlier);
  const auto large = x.ge(50).sum().item<std::int64_t>();
  EXPECT_GT(large, 950);
  EXPECT_LE(large, 1000);
  EXPECT_EQ(x.ge(50).logical_or(x.lt(2)).all().item<bool>(), true);
}

TEST(DrawThere, PutsEdgeRowsAtTheBeginning) {
  const auto x = drawn(plan(Draw::uniform, 0, 1, {90, 100}), InputSet::edge);
  EXPECT_TRUE(x.eq(0).all(1).any().item<bool>()) << "no row of zeros";
  EXPECT_TRUE(x.ge(0).logical_and(x.lt(1)).all().item<bool>());
}

TEST(DrawThere, KeepsTheInvariantsOfRows) {
  const auto rows = [](const DrawPlan& plan, std::uint64_t seed = 3) {
    return draw_rows_on_device(plan, Random(seed, 0), at::kCPU);
  };
  const auto sorted_plan = plan(Draw::sorted, -1, 3, {30, 400});
  const auto sorted = rows(sorted_plan);
  EXPECT_TRUE(at::equal(sorted, rows(sorted_plan)));
  EXPECT_FALSE(at::equal(sorted, rows(sorted_plan, 4)));
  EXPECT_TRUE(sorted.narrow(1, 1, 399).ge(sorted.narrow(1, 0, 399)).all().item<bool>());
  EXPECT_TRUE(sorted.ge(-1).logical_and(sorted.lt(3)).all().item<bool>());
  EXPECT_NEAR(mean_of(sorted), 1, 0.05);
  const auto bins = rows(plan(Draw::sorted, 0, 5, {30, 400}, DType::int32));
  EXPECT_EQ(bins.max().item<int>(), 4);
  EXPECT_EQ(bins.min().item<int>(), 0);
  const auto permuted = rows(plan(Draw::permutation, 0, 1, {30, 400}, DType::int64));
  const auto places = std::get<0>(permuted.sort(1));
  EXPECT_TRUE(places.eq(at::arange(400, places.options())).all().item<bool>());
  EXPECT_FALSE(at::equal(permuted[0], permuted[1]));
  const auto probable = rows(plan(Draw::probabilities, 0, 1, {30, 400}));
  EXPECT_EQ(probable.scalar_type(), at::kFloat);
  EXPECT_TRUE(probable.gt(0).all().item<bool>());
  EXPECT_TRUE(probable.sum(1).sub(1).abs().lt(1e-5).all().item<bool>());
}

/// A reference that says it computes on a GPU; nothing is run on it.
class ReferenceOnGpu final : public Reference {
 public:
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case&) const override {
    return args;
  }
  at::Device device() const override { return at::Device(at::kCUDA, 0); }
};

TEST(DrawThere, DrawsOnTheDeviceOnlyLargeIndependentTensorsOfAReferenceThatComputesThere) {
  const auto task = elementwise("torch.exp(x)");
  const auto large = plan(Draw::uniform, 0, 1, {1 << 15, 1 << 15});
  const ReferenceOnGpu reference;
  EXPECT_TRUE(device_for_drawing(task, large, &reference).is_cuda());
  EXPECT_TRUE(device_for_drawing(task, large, nullptr).is_cpu()) << "no reference";
  EXPECT_TRUE(device_for_drawing(task, plan(Draw::uniform, 0, 1, {8, 8}), &reference).is_cpu()) << "small";
  const auto sorted = plan(Draw::sorted, 0, 1, {1 << 15, 1 << 15});
  EXPECT_TRUE(device_for_drawing(task, sorted, &reference).is_cpu()) << "rows are not independent";
  EXPECT_TRUE(device_for_drawing(dropout(), large, &reference).is_cpu()) << "judged on the CPU only";
}

}  // namespace
}  // namespace ridgeline::verifier
