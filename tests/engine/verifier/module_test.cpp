// Tasks whose reference is a module: inputs that only its own code can draw, a state that stays the same, and
// KernelBench's rule. A fake reference stands for the module; the real one is
// judge/tasks/module_reference.hpp.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>

#include "engine/core/error.hpp"
#include "engine/verifier/faithful.hpp"
#include "engine/verifier/input_stream.hpp"
#include "engine/verifier/inputs.hpp"

namespace ridgeline::verifier {
namespace {

Tensor tensor(const char* name, Role role, Draw draw, const char* state = "") {
  Tensor made;
  made.name = name;
  made.role = role;
  made.shape = {Expression::parse("4")};
  made.input.draw = draw;
  made.state = state;
  return made;
}

Task module_task() {
  Task task;
  task.name = "module";
  task.parameters = {tensor("x", Role::in, Draw::normal), tensor("mask", Role::in, Draw::reference),
                     tensor("weight", Role::in, Draw::reference, "linear.weight"),
                     tensor("y", Role::out, Draw::normal)};
  task.cases = {Case{"published", {}, true, false, false, "cpu"}};
  task.module = Module{"level1/1_module", "[]", "{}", true};
  return task;
}

/// Draws a mask that shows the seed, and weights that are the same under every seed.
class DrawingReference final : public Reference {
 public:
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case&) const override {
    return {args[0]};
  }
  std::vector<at::Tensor> draw(std::uint64_t seed) const override {
    ++draws;
    return {at::Tensor(), at::full({4}, static_cast<float>(seed % 1000003)), at::full({4}, 7.0F)};
  }
  mutable int draws = 0;
};

TEST(ModuleInputs, AreDrawnByTheReferenceWhereTheTaskSaysSo) {
  const auto task = module_task();
  const DrawingReference reference;
  for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge}) {
    const auto inputs = draw_inputs(task, task.cases[0], set, 42, &reference);
    ASSERT_EQ(inputs.size(), 3U);
    EXPECT_EQ(inputs[1][0].item().toFloat(), 42);
    EXPECT_EQ(inputs[2][3].item().toFloat(), 7);
    EXPECT_NE(inputs[0][0].item().toFloat(), inputs[0][1].item().toFloat()) << "x is drawn by the judge";
  }
}

TEST(ModuleInputs, AreRefusedWithoutAReference) {
  const auto task = module_task();
  try {
    draw_inputs(task, task.cases[0], InputSet::standard, 1);
    FAIL() << "drawn out of nothing";
  } catch (const BadInput& error) {
    EXPECT_NE(std::string(error.what()).find("'mask'"), std::string::npos) << error.what();
  }
}

TEST(ModuleStream, HasADrawOfItsOwnForEachInstanceAndOneOfTheState) {
  const auto task = module_task();
  const DrawingReference reference;
  const InputStream stream(task, task.cases[0], InputSet::standard, 9, &reference);
  std::set<float> masks;
  for (std::uint64_t instance = 0; instance < 40; ++instance) {
    const auto inputs = stream.rebuild(instance);
    masks.insert(inputs[1][0].item().toFloat());
    EXPECT_EQ(inputs[2][0].item().toFloat(), 7);
    float buffer[4];
    stream.refill(instance, 1, buffer);
    EXPECT_EQ(buffer[0], inputs[1][0].item().toFloat()) << "refill and rebuild agree";
    EXPECT_TRUE(stream.unchanged(instance, 1, buffer));
    buffer[3] += 1;
    EXPECT_FALSE(stream.unchanged(instance, 1, buffer));
  }
  EXPECT_EQ(masks.size(), 40U) << "whoever knows a draw again has nothing by it";
  EXPECT_EQ(reference.draws, 40) << "the last ones are kept";
  const auto before = stream.rebuild(0)[1];
  EXPECT_EQ(reference.draws, 41);
  EXPECT_TRUE(masks.contains(before[0].item().toFloat())) << "made again, it is the same";
  EXPECT_EQ(stream.kept_bytes(), (8 + 1) * 16);
}

TEST(ModuleStream, DrawsOnceIfTheReferenceDrawsOnlyState) {
  auto task = module_task();
  std::get<Tensor>(task.parameters[1]).input.draw = Draw::normal;
  const DrawingReference reference;
  const InputStream stream(task, task.cases[0], InputSet::standard, 9, &reference);
  EXPECT_EQ(reference.draws, 1);
  EXPECT_NE(stream.rebuild(1)[0][0].item().toFloat(), stream.rebuild(2)[0][0].item().toFloat());
}

bool faithful(const at::Tensor& own, const at::Tensor& got, DType dtype = DType::float32,
              const char* function = "", std::optional<DType> cast_to = {}) {
  auto task = module_task();
  task.module->function = function;
  task.module->cast_to = cast_to;
  std::get<Tensor>(task.parameters[3]).dtype = dtype;
  Expected expected;
  expected.own = {own};
  return faithful_correct(task, expected, {got});
}

TEST(KernelBenchRule, GoesByThePrecisionInWhichTheTaskIsPosed) {
  const auto own = at::full({4}, 1.0F), got = at::full({4}, 1.015F);
  EXPECT_FALSE(faithful(own, got));
  EXPECT_TRUE(faithful(own, got, DType::float32, "", DType::bfloat16)) << "an output that stays float32";
}

TEST(KernelBenchRule, ComparesSixteenBitsInTheirOwnArithmeticAsAllcloseDoes) {
  const auto dtype = at::kBFloat16;
  // Every pair of bfloat16 near the limit, against torch's own function.
  for (int first = 0; first < 64; ++first)
    for (int second = 0; second < 64; ++second) {
      const auto own = at::full({1}, 1 + first / 1024.0).to(dtype);
      const auto got = at::full({1}, 1 + second / 1024.0).to(dtype);
      const bool torchs = own.allclose(got, 1e-2, 1e-2);
      EXPECT_EQ(faithful(own, got, DType::bfloat16, "", DType::bfloat16), torchs) << first << " " << second;
    }
  for (const double size : {0.3, 3.0, 17.0, 1000.0})
    for (int step = 0; step < 400; ++step) {
      const auto own = at::full({1}, size).to(dtype), got = at::full({1}, size * (1 + step / 1e4)).to(dtype);
      EXPECT_EQ(faithful(own, got, DType::bfloat16, "", DType::bfloat16), own.allclose(got, 1e-2, 1e-2))
          << size << " " << step;
    }
}

TEST(KernelBenchRule, IsAllcloseWithKernelBenchsTolerance) {
  EXPECT_TRUE(faithful(at::full({4}, 100.0F), at::full({4}, 100.009F)));
  EXPECT_FALSE(faithful(at::full({4}, 100.0F), at::full({4}, 100.02F)));
  EXPECT_TRUE(faithful(at::full({4}, 0.00009F), at::full({4}, 0.0F)))
      << "zeros pass: a known weakness of the rule";
  EXPECT_TRUE(
      faithful(at::full({4}, 1.0F).to(at::kHalf), at::full({4}, 1.015F).to(at::kHalf), DType::float16));
}

TEST(KernelBenchRule, IsNotThatOfFunctionsWhichAreKernelBenchXs) {
  const auto of_function = [](const at::Tensor& own, const at::Tensor& got, DType dtype) {
    return faithful(own, got, dtype, "gelu");
  };
  EXPECT_FALSE(of_function(at::full({4}, 100.0F), at::full({4}, 100.009F), DType::float32));
  EXPECT_TRUE(of_function(at::full({4}, 100.0F), at::full({4}, 100.0009F), DType::float32));
  EXPECT_FALSE(of_function(at::full({4}, 30000, at::kLong), at::full({4}, 30002, at::kLong), DType::int64));
  const auto nan = at::full({4}, std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(of_function(nan, nan, DType::float32));
}

TEST(KernelBenchRule, RefusesEqualNaNAndAppliesItsToleranceToIntegers) {
  const auto nan = at::full({4}, std::numeric_limits<float>::quiet_NaN());
  EXPECT_FALSE(faithful(nan, nan));
  EXPECT_FALSE(faithful(at::full({4}, 100, at::kLong), at::full({4}, 101, at::kLong), DType::int64));
  EXPECT_TRUE(faithful(at::full({4}, 30000, at::kLong), at::full({4}, 30002, at::kLong), DType::int64))
      << "1e-4 of an index is more than one: its rule, not ours";
}

}  // namespace
}  // namespace ridgeline::verifier
