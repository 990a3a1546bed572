// What is right, as something that can be run: the port, and TorchScript text compiled.
//
// Names that resolve in the text: `torch.X` is the operator aten::X; `torch.nn.functional.X` and `F.X` too;
// `torch.linalg.X`, `torch.special.X` and `torch.fft.X` are aten::linalg_X and so on; `math.X`; integer
// dtypes
// (`torch.int64`, `torch.long`, `torch.int8`, `torch.bool`, …); `torch.pi`, `torch.inf`, `torch.nan`. A
// floating dtype is refused, since the text would then compute in it when asked for float64.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

class Reference {
 public:
  virtual ~Reference() = default;

  /// Runs on `args`, the in and inout tensors in the order of parameters, in the dtype that they have;
  /// scalars are put between them from the case. Returns the out and inout tensors in the order of
  /// parameters, contiguous, on the device of `args`, which stay as they are. Throws BadInput, and
  /// OutOfMemory where this machine has too little.
  virtual std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& one) const = 0;

  /// Does what the first run would wait for. Throws BadInput.
  virtual void make_ready() const {}

  /// Where arguments may lie, so that nothing is copied; those on the CPU are taken too.
  virtual at::Device device() const { return at::kCPU; }

  /// As `run`, with floating arguments widened to float64 and complex ones to complex128: the oracle.
  std::vector<at::Tensor> run_in_float64(const std::vector<at::Tensor>& args, const Case& one) const {
    return run_perturbed(args, one, 0, 0);
  }

  /// As `run_in_float64`, with each floating number of `args` moved by `step` times its value, as perturb.hpp
  /// says; 0 leaves it. One that is asked for gigabytes may widen them where it wants them.
  virtual std::vector<at::Tensor> run_perturbed(const std::vector<at::Tensor>& args, const Case& one,
                                                double step, std::uint64_t seed) const;

  virtual bool has_unquantized() const { return false; }
  /// `Quantized::unquantized` in float64; requires `has_unquantized()`.
  virtual std::vector<at::Tensor> run_unquantized(const std::vector<at::Tensor>& args, const Case& one) const;

  /// What the reference's own code draws: one CPU tensor for each in and inout tensor, undefined but where
  /// its draw is Draw::reference. Equal seeds, equal bits; tensors with a `state` are the same under every
  /// seed. Throws BadInput.
  virtual std::vector<at::Tensor> draw(std::uint64_t seed) const;
};

class TorchScript final : public Reference {
 public:
  /// Compiles `task.reference` (it must define `reference`), and `Quantized::unquantized` where there is one.
  /// Throws BadInput naming the task, with the place in the script ("reference:2:12") and torch's own words,
  /// and for a reference that draws random numbers where the contract is not statistical.
  static TorchScript compile(const Task& task);

  TorchScript(TorchScript&&) noexcept;
  TorchScript& operator=(TorchScript&&) noexcept;
  ~TorchScript() override;

  /// Lets CPU arguments be computed on CUDA device `index` from now on: they go there, and results come back.
  void place_on_cuda(int index);

  /// The text must not change its arguments (`check_task` proves it); they are not copied.
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& one) const override;
  at::Device device() const override;
  bool has_unquantized() const override;
  std::vector<at::Tensor> run_unquantized(const std::vector<at::Tensor>& args,
                                          const Case& one) const override;

 private:
  struct Compiled;
  explicit TorchScript(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

/// Floating tensors as float64, complex ones as complex128, others as they are.
std::vector<at::Tensor> widen(const std::vector<at::Tensor>& tensors);

}  // namespace ridgeline::verifier
