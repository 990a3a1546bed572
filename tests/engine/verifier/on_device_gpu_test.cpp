// Comparing on a GPU gives the figures of comparing on the CPU.
#include "engine/verifier/on_device.hpp"

#include <gtest/gtest.h>

#include "engine/verifier/compare.hpp"
#include "engine/verifier/fit.hpp"
#include "engine/verifier/tolerance_on_device.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "samples.hpp"
#include "synthetic_runs.hpp"

namespace ridgeline::verifier {
namespace {

std::vector<at::Tensor> to_gpu(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> moved;
  for (const auto& tensor : tensors) moved.push_back(tensor.defined() ? tensor.to(at::kCUDA) : tensor);
  return moved;
}

Expected to_gpu(const Expected& expected) {
  auto moved = expected;
  for (auto* tensors :
       {&moved.oracle, &moved.tolerance, &moved.scale, &moved.own, &moved.unquantized, &moved.draws})
    *tensors = to_gpu(*tensors);
  return moved;
}

/// Accepts differences of a few ulps: the GPU sums in another order.
void expect_same(const at::Tensor& device, const at::Tensor& cpu) {
  ASSERT_TRUE(device.is_cuda());
  const auto got = device.cpu();
  EXPECT_TRUE(got.isclose(cpu, 1e-11, 0, true).all().item<bool>());
}

class OnGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_cuda_half(0); }
};

TEST_F(OnGpu, DerivesTheTolerancesOfTheCpu) {
  for (const double reduction : {1.0, 300.0})
    for (const auto dtype : {DType::float32, DType::float16})
      for (const auto& made : {make_difficult_runs(37, 41, 1), make_difficult_runs(3, 1000, 2),
                               make_difficult_runs(1000, 2, 3)}) {
        const auto precision = precision_of(dtype, reduction, InputSet::standard, 1, false);
        const auto cpu = derive_tolerance(precision, made.oracle, made.own, responses_of(made));
        const auto device =
            derive_tolerance(precision, made.oracle.to(at::kCUDA), made.own.to(at::kCUDA),
                             responses_of({made.oracle.to(at::kCUDA), {}, to_gpu(made.draws)}));
        expect_same(device.tolerance, cpu.tolerance);
        expect_same(device.scale, cpu.scale);
      }
}

std::vector<Task> samples() {
  return {row_sum(),
          row_sum(DType::bfloat16),
          matmul(),
          matmul(DType::float16),
          elementwise("torch.exp(x)"),
          elementwise("torch.log(x)"),
          matmul_w8a8(),
          masked_select()};
}

TEST_F(OnGpu, AcceptsWhatTheCpuAcceptsWithTheSameFigures) {
  for (const auto& task : samples())
    for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge}) {
      const Trial trial(task, set);
      const auto& one = task.cases.front();
      const auto got = as_written(task, one, trial.expected.own);
      const auto cpu = compare_on_device(task, one, set, trial.expected, got);
      const auto device = compare_on_device(task, one, set, to_gpu(trial.expected), to_gpu(got));
      ASSERT_EQ(device.has_value(), cpu.has_value()) << task.name;
      if (!cpu) continue;
      ASSERT_EQ(device->errors.size(), cpu->errors.size());
      for (std::size_t i = 0; i < cpu->errors.size(); ++i) {
        EXPECT_DOUBLE_EQ(device->errors[i].median, cpu->errors[i].median) << task.name;
        EXPECT_DOUBLE_EQ(device->errors[i].p99, cpu->errors[i].p99) << task.name;
        EXPECT_DOUBLE_EQ(device->errors[i].worst, cpu->errors[i].worst) << task.name;
      }
      ASSERT_EQ(device->quantization.size(), cpu->quantization.size());
      for (std::size_t i = 0; i < cpu->quantization.size(); ++i)
        EXPECT_NEAR(device->quantization[i].cosine, cpu->quantization[i].cosine, 1e-12);
    }
}

TEST_F(OnGpu, RefusesOneWrongElement) {
  for (const auto& task : samples()) {
    const Trial trial(task);
    auto got = to_gpu(as_written(task, task.cases.front(), trial.expected.own));
    const auto expected = to_gpu(trial.expected);
    ASSERT_TRUE(compare_on_device(task, task.cases.front(), InputSet::standard, expected, got)) << task.name;
    got.front().reshape(-1).slice(0, 3, 4).fill_(99);
    EXPECT_FALSE(compare_on_device(task, task.cases.front(), InputSet::standard, expected, got)) << task.name;
  }
}

/// Compares outputs of the CPU with the expectations of a reference on the device.
TEST_F(OnGpu, AReferenceOnTheDeviceGivesTheSameExpectations) {
  for (const auto& task : samples()) {
    const Trial trial(task);
    const auto& one = task.cases.front();
    auto reference = TorchScript::compile(task);
    reference.place_on_cuda(0);
    const auto inputs = moved_to_reference_device(reference, task, trial.inputs);
    EXPECT_TRUE(inputs.front().is_cuda()) << task.name;
    const auto expected = expect(reference, task, one, InputSet::standard, inputs);
    EXPECT_TRUE(expected.oracle.front().is_cuda()) << task.name;
    const auto got = as_written(task, one, trial.expected.own);
    const auto comparison = compare(task, one, InputSet::standard, to_cpu(expected), got);
    EXPECT_TRUE(comparison.ok) << task.name << " " << comparison.detail;
    EXPECT_TRUE(compare_on_device(task, one, InputSet::standard, expected, to_gpu(got))) << task.name;
  }
}

}  // namespace
}  // namespace ridgeline::verifier
