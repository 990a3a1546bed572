#include "engine/verifier/reference.hpp"

#include <ATen/ops/allclose.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

at::Tensor run(const std::string& text, const at::Tensor& x) {
  const auto task =
      sample("t", {{"N", x.numel()}}, {input("x", DType::float32, {"N"}), output("y", DType::float32, {"N"})},
             text, Elementwise{});
  return TorchScript::compile(task).run({x}, task.cases[0])[0];
}

std::string refusal(const std::string& text) {
  try {
    run(text, at::ones({4}));
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(Reference, ResolvesOperatorsModulesIntegerDtypesAndConstants) {
  const auto x = at::full({4}, 0.5);
  EXPECT_EQ(run("def reference(x):\n    return torch.exp(x)\n", x).numel(), 4);
  EXPECT_EQ(run("def reference(x):\n    return torch.nn.functional.gelu(x)\n", x).numel(), 4);
  EXPECT_EQ(run("def reference(x):\n    return F.softmax(x, 0)\n", x).numel(), 4);
  EXPECT_EQ(run("def reference(x):\n    return torch.special.i0(x) + torch.fft.fft(x).abs()\n", x).numel(),
            4);
  EXPECT_EQ(run("def reference(x):\n    return x.to(torch.int8)\n", x).scalar_type(), at::kChar);
  EXPECT_EQ(run("def reference(x):\n    return x.to(torch.long)\n", x).scalar_type(), at::kLong);
  EXPECT_NEAR(run("def reference(x):\n    return x * math.pi / math.sqrt(4.0)\n", x)[0].item().toDouble(),
              0.7853982, 1e-6);
}

TEST(Reference, RunsInFloat64WithoutRoundingInBetween) {
  const auto task = elementwise("torch.exp(x)");
  const auto result = TorchScript::compile(task).run_in_float64({at::full({4096}, 0.1F)}, task.cases[0]);
  EXPECT_EQ(result[0].scalar_type(), at::kDouble);
  EXPECT_EQ(result[0][0].item().toDouble(), std::exp(static_cast<double>(0.1F)));
}

TEST(Reference, PassesScalarsOfTheCaseInTheOrderOfParameters) {
  Scalar factor{"factor", ScalarType::float64, Expression::parse("N / 8")},
      twice{"twice", ScalarType::boolean, Expression::parse("1")};
  const auto task = sample(
      "scaled", {{"N", 4}},
      {factor, input("x", DType::float32, {"N"}), twice, output("y", DType::float32, {"N"})},
      "def reference(factor: float, x, twice: bool):\n    y = x * factor\n    return y + y if twice else y\n",
      Elementwise{});
  EXPECT_EQ(TorchScript::compile(task).run({at::ones({4})}, task.cases[0])[0][0].item().toDouble(), 1);
}

TEST(Reference, RefusalsNameTheTaskAndQuoteTorch) {
  const auto message = refusal("def reference(x):\n    return torch.no_such_operator(x)\n");
  EXPECT_NE(message.find("task 't'"), std::string::npos);
  EXPECT_NE(message.find("no_such_operator"), std::string::npos);
  EXPECT_NE(refusal("def reference(x):\n    return x.to(torch.float32)\n").find("float64"),
            std::string::npos);
  EXPECT_NE(refusal("def other(x):\n    return x\n").find("'reference'"), std::string::npos);
  EXPECT_NE(refusal("def reference(x):\n    return x, x\n").find("2 tensor(s)"), std::string::npos);
  EXPECT_NE(
      refusal("def reference(x):\n    return torch.matmul(x, torch.ones([3, 3]))\n").find("case 'only'"),
      std::string::npos);
}

TEST(TorchSetup, ReportsTheVersionOfTorch) {
  EXPECT_EQ(torch_version().substr(0, 2), "2.");
}

}  // namespace
}  // namespace ridgeline::verifier
