// Tasks for the verifier's tests, each the smallest of its kind.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/core/task.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Those of a task of any contract.
inline constexpr InputSet sets[] = {InputSet::standard, InputSet::outlier, InputSet::edge};

Tensor input(const std::string& name, DType dtype, const std::vector<std::string>& shape,
             Draw draw = Draw::normal, const std::string& low = "0", const std::string& high = "1");
Tensor output(const std::string& name, DType dtype, const std::vector<std::string>& shape);

/// A task of one case, `sizes`, with this reference text.
Task sample(const std::string& name, const Symbols& sizes, std::vector<Parameter> parameters,
            const std::string& reference, Contract contract);

Task row_sum(DType dtype = DType::float32, std::int64_t rows = 64, std::int64_t columns = 4096);
Task matmul(DType dtype = DType::float32, std::int64_t m = 24, std::int64_t n = 40, std::int64_t k = 1024);
Task elementwise(const std::string& expression, DType dtype = DType::float32, std::int64_t n = 4096);
Task matmul_w8a8(std::int64_t m = 32, std::int64_t n = 48, std::int64_t k = 256);
/// Layer normalization of values that are rounded to multiples of 2^-5 first. In float32 n v (1 / n) is not
/// v for nearly all of them where n is 61.
Task layer_norm_in_steps(std::int64_t m = 36, std::int64_t n = 61);
Task masked_select(std::int64_t n = 1000);
Task dropout(std::int64_t n = 8192);
Task qr(DType dtype = DType::float32, std::int64_t m = 20, std::int64_t n = 12);

/// A dropout whose mask is the kernel's choice; a quarter is dropped.
Task dropout_with_mask(std::int64_t n = 8192);
/// The smallest gelu of each row, and where it is: any place whose value is as small but for rounding.
Task smallest_gelu(std::int64_t m = 40, std::int64_t n = 300);
/// Eigenvalues and vectors in any order and of any sign, by the contract checked.
Task eigenvectors(std::int64_t n = 24);

/// A task's reference, inputs of its only case and what is expected of them, ready for candidates.
class Trial {
 public:
  explicit Trial(Task task, InputSet set = InputSet::standard, std::uint64_t seed = 7);

  /// Poisons outputs, lets `write` fill them, and returns the result of `compare_outputs`.
  Comparison judge(const std::function<void(const std::vector<at::Tensor>& inputs,
                                            std::vector<at::Tensor>& outputs)>& write) const;
  /// Compares `outputs` of any dtype, cast and padded to capacity.
  Comparison judge_values(const std::vector<at::Tensor>& outputs) const;

  Task task;
  InputSet set;
  TorchScript reference;
  std::vector<at::Tensor> inputs;
  Expected expected;
};

template <class T>
T* data(const at::Tensor& tensor) {
  return static_cast<T*>(tensor.data_ptr());
}

}  // namespace ridgeline::verifier
