// Runs the reference of a task. `Reference` is the port; `TorchScript` compiles a task's reference text.
//
// Names that resolve in a text: `torch.X` is the operator aten::X; `torch.nn.functional.X` and `F.X` too;
// `torch.linalg.X`, `torch.special.X` and `torch.fft.X` are aten::linalg_X and so on; `math.X`; integer
// dtypes (`torch.int64`, `torch.long`, `torch.int8`, `torch.bool`, …); `torch.pi`, `torch.inf`, `torch.nan`.
// A floating dtype is refused, since the text would then compute in it when float64 is asked for.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Some rows along dimension 0.
struct Rows {
  std::int64_t begin = 0, count = 0;
};

/// Computes what is right for given inputs.
class Reference {
 public:
  virtual ~Reference() = default;

  /// Runs on `args`, the in and inout tensors in the order of parameters, in the dtypes that they have;
  /// scalars are inserted from the case. Returns the out and inout tensors in the order of parameters,
  /// contiguous, on the device of `args`. `args` are not changed. Throws BadInput, and OutOfMemory where
  /// this machine has too little memory.
  virtual std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& task_case) const = 0;

  /// Does in advance what the first run would wait for. Throws BadInput.
  virtual void make_ready() const {}

  /// The device on which arguments may lie so that nothing is copied; arguments on the CPU are accepted too.
  virtual at::Device device() const { return at::kCPU; }

  /// Runs with floating arguments widened to float64 and complex ones to complex128: this is the oracle.
  std::vector<at::Tensor> run_in_float64(const std::vector<at::Tensor>& args, const Case& task_case) const {
    return run_perturbed(args, task_case, 0, 0);
  }

  /// Runs as `run_in_float64` does, with each floating number of `args` perturbed by `step` times its value
  /// as perturb.hpp says; 0 leaves them. A reference with gigabytes of inputs may widen them on its own
  /// device.
  virtual std::vector<at::Tensor> run_perturbed(const std::vector<at::Tensor>& args, const Case& task_case,
                                                double step, std::uint64_t seed) const;

  /// Whether `run_rows` is there.
  virtual bool runs_rows() const { return false; }
  /// Runs as `run_perturbed` does, or as `run` if `widened` is false and `step` 0, on `rows` alone of the
  /// arguments that are `batched` (one entry for each argument) and on all of the others. Each slice of a
  /// batched argument has numbers of its own, of the others each slice has the same. What it returns is right
  /// for these rows only where rows do not depend on each other (slices.hpp).
  virtual std::vector<at::Tensor> run_rows(const std::vector<at::Tensor>& args,
                                           const std::vector<bool>& batched, Rows rows, const Case& task_case,
                                           double step, std::uint64_t seed, bool widened = true) const;

  /// Whether the reference also computes the unquantized result of a quantized task.
  virtual bool has_unquantized() const { return false; }
  /// Runs `Quantized::unquantized` in float64; requires `has_unquantized()`.
  virtual std::vector<at::Tensor> run_unquantized(const std::vector<at::Tensor>& args,
                                                  const Case& task_case) const;

  /// Returns an honest choice of a task with a `choice` (engine/core/task.hpp): its tensors, in the order of
  /// parameters. `run` makes such a choice too, and returns it among the outputs. Throws BadInput, and Error
  /// where the task has none.
  virtual std::vector<at::Tensor> choose(const std::vector<at::Tensor>& args, const Case& task_case) const;
  /// Returns the outputs that are not chosen, for this choice; otherwise as `run`.
  virtual std::vector<at::Tensor> run_with_choice(const std::vector<at::Tensor>& args,
                                                  const std::vector<at::Tensor>& choice,
                                                  const Case& task_case) const;
  /// Runs the task's check (ByCheck) in float64 on inputs and all outputs; returns its errors over what is
  /// allowed. Throws BadInput, and Error where the task has none.
  virtual std::vector<at::Tensor> check(const std::vector<at::Tensor>& args,
                                        const std::vector<at::Tensor>& outputs, const Case& task_case) const;

  /// Draws the inputs that the reference's own code draws: one CPU tensor for each in and inout tensor,
  /// defined only where its draw is Draw::reference. Equal seeds give equal bits; tensors with a `state` are
  /// the same under every seed. Throws BadInput.
  virtual std::vector<at::Tensor> draw(std::uint64_t seed) const;
};

/// A reference written as TorchScript text. One thread at a time.
class TorchScript final : public Reference {
 public:
  /// Compiles `task.reference`, which must define a function `reference`, and the task's other scripts:
  /// `Quantized::unquantized`, `Choice::choose`, `ByCheck::check`. Throws BadInput naming the task, with the
  /// place in the script ("reference:2:12") and torch's own words; refuses scripts that draw
  /// random numbers where their results are compared: every reference but a statistical task's, every check,
  /// and `choose` beside a check.
  static TorchScript compile(const Task& task);

  TorchScript(TorchScript&&) noexcept;
  TorchScript& operator=(TorchScript&&) noexcept;
  ~TorchScript() override;

  /// Computes CPU arguments on CUDA device `index` from now on: they are copied there, and results back.
  void place_on_cuda(int index);

  /// Runs the text on `args` without copying them: the text must not change its arguments (`check_task`
  /// proves it).
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& task_case) const override;
  at::Device device() const override;
  bool has_unquantized() const override;
  std::vector<at::Tensor> run_unquantized(const std::vector<at::Tensor>& args,
                                          const Case& task_case) const override;
  std::vector<at::Tensor> choose(const std::vector<at::Tensor>& args, const Case& task_case) const override;
  std::vector<at::Tensor> run_with_choice(const std::vector<at::Tensor>& args,
                                          const std::vector<at::Tensor>& choice,
                                          const Case& task_case) const override;
  std::vector<at::Tensor> check(const std::vector<at::Tensor>& args, const std::vector<at::Tensor>& outputs,
                                const Case& task_case) const override;

 private:
  struct Compiled;
  explicit TorchScript(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

/// Returns floating tensors as float64, complex ones as complex128, and others as they are.
std::vector<at::Tensor> widen(const std::vector<at::Tensor>& tensors);

}  // namespace ridgeline::verifier
