#include "samples.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/choice.hpp"
#include "engine/verifier/fit.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/poison.hpp"
#include "engine/verifier/torch_setup.hpp"

namespace ridgeline::verifier {
namespace {

class TorchEnvironment : public testing::Environment {
  void SetUp() override {
    make_deterministic(1);
    // A fixed seed, since honest random kernels would fail once in some ten thousand runs. at::manual_seed
    // would make torch decide for good that there is no device, before a test has loaded its CUDA half.
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    generator.set_current_seed(1);
  }
};
const auto* const environment = testing::AddGlobalTestEnvironment(new TorchEnvironment);

std::vector<Expression> expressions(const std::vector<std::string>& texts) {
  std::vector<Expression> parsed;
  for (const auto& text : texts) parsed.push_back(Expression::parse(text));
  return parsed;
}

}  // namespace

Tensor input(const std::string& name, DType dtype, const std::vector<std::string>& shape, Draw draw,
             const std::string& low, const std::string& high) {
  Tensor tensor;
  tensor.name = name;
  tensor.dtype = dtype;
  tensor.shape = expressions(shape);
  tensor.input.draw = draw;
  tensor.input.low = Expression::parse(low);
  tensor.input.high = Expression::parse(high);
  return tensor;
}

Tensor output(const std::string& name, DType dtype, const std::vector<std::string>& shape) {
  Tensor tensor;
  tensor.name = name;
  tensor.dtype = dtype;
  tensor.role = Role::out;
  tensor.shape = expressions(shape);
  return tensor;
}

Task sample(const std::string& name, const Symbols& sizes, std::vector<Parameter> parameters,
            const std::string& reference, Contract contract) {
  Task task;
  task.name = name;
  for (const auto& [symbol, _] : sizes) task.sizes.push_back(symbol);
  task.parameters = std::move(parameters);
  Case one;
  one.name = "only";
  one.sizes = sizes;
  task.cases.push_back(one);
  task.reference = reference;
  task.contract = std::move(contract);
  return task;
}

Task row_sum(DType dtype, std::int64_t rows, std::int64_t columns) {
  Elementwise contract;
  contract.reduction = Expression::parse("N");
  auto task = sample("row_sum", {{"M", rows}, {"N", columns}},
                     {input("x", dtype, {"M", "N"}), output("y", dtype, {"M"})},
                     "def reference(x):\n    return x.sum(1)\n", contract);
  task.operations = Expression::parse("M * N");
  task.bytes = Expression::parse("4 * (M * N + M)");
  return task;
}

Task matmul(DType dtype, std::int64_t m, std::int64_t n, std::int64_t k) {
  Elementwise contract;
  contract.reduction = Expression::parse("K");
  return sample(
      "matmul", {{"M", m}, {"N", n}, {"K", k}},
      {input("a", dtype, {"M", "K"}), input("b", dtype, {"K", "N"}), output("c", dtype, {"M", "N"})},
      "def reference(a, b):\n    return torch.matmul(a, b)\n", contract);
}

Task elementwise(const std::string& expression, DType dtype, std::int64_t n) {
  return sample("elementwise", {{"N", n}}, {input("x", dtype, {"N"}), output("y", dtype, {"N"})},
                "def reference(x):\n    return " + expression + "\n", Elementwise{});
}

Task matmul_w8a8(std::int64_t m, std::int64_t n, std::int64_t k) {
  Quantized contract;
  contract.reduction = Expression::parse("K");
  contract.unquantized = "def reference(a, b):\n    return torch.matmul(a, b.t())\n";
  const auto* text =
      "def quantize(x):\n"
      "    scale = torch.clamp(torch.amax(torch.abs(x), [1], True) / 127.0, min=1e-8)\n"
      "    return torch.clamp(torch.round(x / scale), -127, 127), scale\n"
      "def reference(a, b):\n"
      "    qa, sa = quantize(a)\n"
      "    qb, sb = quantize(b)\n"
      "    return torch.matmul(qa, qb.t()) * sa * sb.t()\n";
  return sample("matmul_w8a8", {{"M", m}, {"N", n}, {"K", k}},
                {input("a", DType::float32, {"M", "K"}), input("b", DType::float32, {"N", "K"}),
                 output("c", DType::float32, {"M", "N"})},
                text, contract);
}

Task layer_norm_in_steps(std::int64_t m, std::int64_t n) {
  Quantized contract;
  contract.reduction = Expression::parse("N");
  contract.unquantized = "def reference(x):\n    return torch.layer_norm(x, [x.size(1)])\n";
  return sample("layer_norm_in_steps", {{"M", m}, {"N", n}},
                {input("x", DType::float32, {"M", "N"}), output("y", DType::float32, {"M", "N"})},
                "def reference(x):\n"
                "    return torch.layer_norm(torch.round(x * 32) / 32, [x.size(1)])\n",
                contract);
}

Task masked_select(std::int64_t n) {
  auto values = output("y", DType::float32, {"N"});
  values.count = "count";
  return sample(
      "masked_select", {{"N", n}},
      {input("x", DType::float32, {"N"}), input("mask", DType::boolean, {"N"}, Draw::bernoulli, "0", "0.3"),
       values, output("count", DType::int64, {"1"})},
      "def reference(x, mask):\n    y = torch.masked_select(x, mask)\n    return y, mask.sum().reshape(1)\n",
      Exact{});
}

Task dropout(std::int64_t n) {
  return sample(
      "dropout", {{"N", n}},
      {input("x", DType::float32, {"N"}), input("seed", DType::int64, {"1"}, Draw::uniform, "0", "2**40"),
       output("y", DType::float32, {"N"})},
      "def reference(x, seed):\n    return x * (torch.rand_like(x) >= 0.25) / 0.75\n", Statistical{});
}

Task qr(DType dtype, std::int64_t m, std::int64_t n) {
  UpToSign contract;
  contract.reduction = Expression::parse("M");
  return sample(
      "qr", {{"M", m}, {"N", n}},
      {input("a", dtype, {"M", "N"}), output("q", dtype, {"M", "N"}), output("r", dtype, {"N", "N"})},
      "def reference(a):\n    return torch.linalg.qr(a)\n", contract);
}

Task dropout_with_mask(std::int64_t n) {
  auto task = sample(
      "dropout_with_mask", {{"N", n}},
      {input("x", DType::float32, {"N"}), input("seed", DType::int64, {"1"}, Draw::uniform, "0", "2**40"),
       output("mask", DType::boolean, {"N"}), output("y", DType::float32, {"N"})},
      "def reference(x, seed, mask):\n    return x * mask / 0.75\n", Elementwise{});
  task.choice =
      Choice{{"mask"}, "def choose(x, seed):\n    return torch.rand_like(x) >= 0.25\n", Statistical{}};
  task.operations = Expression::parse("3 * N");
  task.bytes = Expression::parse("9 * N + 8");
  return task;
}

Task smallest_gelu(std::int64_t m, std::int64_t n) {
  auto task =
      sample("smallest_gelu", {{"M", m}, {"N", n}},
             {input("x", DType::float32, {"M", "N"}), output("value", DType::float32, {"M"}),
              output("index", DType::int64, {"M"})},
             "def reference(x, index):\n"
             "    return torch.nn.functional.gelu(torch.gather(x, 1, index.unsqueeze(1)).squeeze(1))\n",
             Elementwise{});
  task.choice =
      Choice{{"index"},
             "def choose(x):\n    return torch.argmin(torch.nn.functional.gelu(x), 1)\n",
             ByCheck{"def check(x, value, index, eps: float):\n"
                     "    inside = (index >= 0) & (index < x.size(1))\n"
                     "    y = torch.nn.functional.gelu(x)\n"
                     "    there = torch.gather(y, 1, torch.where(inside, index, 0).unsqueeze(1)).squeeze(1)\n"
                     "    over = (there - y.amin(1)) / (8 * eps * (1 + x.abs().amax(1)))\n"
                     "    return torch.where(inside, over, 2.0)\n",
                     {"distance from the smallest"}}};
  task.operations = Expression::parse("9 * M * N");
  task.bytes = Expression::parse("4 * M * N + 12 * M");
  return task;
}

Task eigenvectors(std::int64_t n) {
  auto task = sample("eigenvectors", {{"N", n}},
                     {input("a", DType::float32, {"N", "N"}, Draw::symmetric),
                      output("w", DType::float32, {"N"}), output("v", DType::float32, {"N", "N"})},
                     "def reference(a):\n    return torch.linalg.eigh(a)\n",
                     ByCheck{"def check(a, w, v, eps: float):\n"
                             "    n = a.size(0)\n"
                             "    room = 16 * n * eps * (1e-30 + torch.linalg.matrix_norm(a, 2))\n"
                             "    residual = (torch.matmul(a, v) - v * w).abs() / room\n"
                             "    unit = torch.eye(n, dtype=a.dtype)\n"
                             "    angle = (torch.matmul(v.t(), v) - unit).abs() / (16 * n * eps)\n"
                             "    return residual, angle\n",
                             {"residual", "columns that are not orthonormal"}});
  task.operations = Expression::parse("9 * N ** 3");
  task.bytes = Expression::parse("8 * N * N + 4 * N");
  return task;
}

Trial::Trial(Task the_task, InputSet the_set, std::uint64_t seed)
    : task(std::move(the_task)),
      set(the_set),
      reference(TorchScript::compile(task)),
      inputs(draw_inputs(task, task.cases[0], set, seed)),
      expected(expect(reference, task, task.cases[0], set, inputs)) {}

Comparison Trial::judge(
    const std::function<void(const std::vector<at::Tensor>&, std::vector<at::Tensor>&)>& write) const {
  std::vector<at::Tensor> outputs;
  for (const auto* declared : outputs_of(task)) {
    outputs.push_back(at::empty(shape_of(*declared, task.cases[0].sizes),
                                at::TensorOptions().dtype(scalar_type(declared->dtype))));
    poison(declared->dtype, outputs.back().data_ptr(), outputs.back().nbytes());
  }
  write(inputs, outputs);
  return compare_outputs(reference, task, task.cases[0], set, inputs, expected, outputs);
}

Comparison Trial::judge_values(const std::vector<at::Tensor>& outputs) const {
  return compare_outputs(reference, task, task.cases[0], set, inputs, expected,
                         as_written(task, task.cases[0], outputs));
}

}  // namespace ridgeline::verifier
