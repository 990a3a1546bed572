// Runs a task's module (core/task.hpp) as a reference in the oracle's process. Tensors travel through memory
// that the judge makes (exchange.hpp): files, or allocations of the GPU that the oracle computes on, so that
// gigabytes never leave the card.
//
// One thread. References of several tasks share one oracle, which loads a task's module again whenever
// another task used it in between.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/oracle/oracle_process.hpp"
#include "engine/verifier/reference.hpp"
#include "engine/worker/judge/arenas/exchange.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

/// The oracle and what it has loaded.
struct SharedOracle {
  oracle::OracleProcess process;
  std::uint64_t references = 0;  ///< how many were made; each has its number, from 1
  std::uint64_t loaded = 0;      ///< number of the reference whose module the oracle holds; 0: none
  std::shared_ptr<Exchange> exchange = host_exchange();  ///< of the oracle's device
  /// Is told what each run took; may be empty.
  std::function<void(const oracle::Cost&)> ran = {};
};

/// Makes an oracle on `device` ("cpu", "cuda:0") with one CPU thread; `exchange` must be of the same device.
/// Its process starts at the first request, or at `process.begin()`.
std::shared_ptr<SharedOracle> make_oracle(const PythonProgram& python, const std::string& device,
                                          std::shared_ptr<Exchange> exchange);

class ModuleReference final : public verifier::Reference {
 public:
  /// Starts nothing yet. The module's state follows from `weights`.
  ModuleReference(Task task, oracle::Weights weights, std::shared_ptr<SharedOracle> oracle);

  /// Loads the module. Throws as `run`.
  void make_ready() const override { load(); }
  /// Computes in float64, with floating outputs in float64, if any of `args` is. Throws BadInput with what
  /// the module said, MachineCannot without an oracle, OutOfMemory if it has too little memory.
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& definition) const override;
  /// Computes in float64 on `args` perturbed by `step` (verifier/perturb.hpp). Throws as `run`.
  std::vector<at::Tensor> run_perturbed(const std::vector<at::Tensor>& args, const Case& definition,
                                        double step, std::uint64_t seed) const override;
  /// On a device; on a CPU too, where tests hold it against whole runs.
  bool runs_rows() const override { return true; }
  std::vector<at::Tensor> run_rows(const std::vector<at::Tensor>& args, const std::vector<bool>& batched,
                                   verifier::Rows rows, const Case& definition, double step,
                                   std::uint64_t seed, bool widened = true) const override;
  /// Returns the module's state and the inputs that its own code draws, on the oracle's device if the task is
  /// judged there. Other arguments are undefined tensors. Throws as `run`.
  std::vector<at::Tensor> draw(std::uint64_t seed) const override;
  at::Device device() const override { return oracle_->exchange->device(); }

 private:
  std::size_t drawn_bytes() const;
  void load() const;
  /// Which rows of which arguments are computed; `rows.count` 0: all.
  struct Part {
    verifier::Rows rows = {};
    const std::vector<bool>* batched = nullptr;
  };
  /// Runs the module on what `fill(argument, tensor)` writes into each argument.
  template <class Fill>
  std::vector<at::Tensor> compute(bool wide, bool on_cpu, const Case& definition, const Part& part,
                                  Fill&& fill) const;

  Task task_;
  oracle::Weights weights_;
  std::shared_ptr<SharedOracle> oracle_;
  std::uint64_t number_;  // not the task's hash: a second reference of a task has weights of its own
  mutable std::vector<at::Tensor> state_;  // as loaded, in the order of parameters
};

}  // namespace ridgeline::judge
