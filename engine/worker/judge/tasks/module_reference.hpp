// A task's module (core/task.hpp) as a reference: an oracle process runs it, and tensors travel through
// memory that the judge makes (exchange.hpp): files, or allocations of the GPU that the oracle computes on,
// so that nothing of several gigabytes leaves the card.
//
// One thread. References of several tasks share one oracle; it loads a task's module again when the turn
// changes.
#pragma once

#include <cstdint>
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
  std::uint64_t references = 0;                          ///< made so far; each has its number
  std::uint64_t loaded = 0;                              ///< the reference whose module it holds; 0 for none
  std::shared_ptr<Exchange> exchange = host_exchange();  ///< of the oracle's device
};

/// An oracle on `device` ("cpu", "cuda:0"), which `exchange` must be of; it starts when it is first asked,
/// or begun with.
/// One thread of the CPU.
std::shared_ptr<SharedOracle> make_oracle(const PythonProgram& python, const std::string& device,
                                          std::shared_ptr<Exchange> exchange);

class ModuleReference final : public verifier::Reference {
 public:
  /// The task's state follows from `weights`. Starts nothing yet.
  ModuleReference(Task task, oracle::Weights weights, std::shared_ptr<SharedOracle> oracle);

  void make_ready() const override { load(); }
  /// In float64 if any of `args` is, with every floating output in float64 then. Throws BadInput with what
  /// the module said, MachineCannot where there is no oracle, OutOfMemory where it has too little room.
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& one) const override;
  std::vector<at::Tensor> run_perturbed(const std::vector<at::Tensor>& args, const Case& one, double step,
                                        std::uint64_t seed) const override;
  /// On the oracle's device where the task is judged there.
  std::vector<at::Tensor> draw(std::uint64_t seed) const override;
  at::Device device() const override { return oracle_->exchange->device(); }

 private:
  std::size_t drawn_bytes() const;  ///< of arguments that are no state
  void load() const;
  /// What `fill(argument, place)` writes is what the module is run on.
  template <class Fill>
  std::vector<at::Tensor> ask(bool wide, bool on_cpu, const Case& one, Fill&& fill) const;

  Task task_;
  oracle::Weights weights_;
  std::shared_ptr<SharedOracle> oracle_;
  std::uint64_t number_;  ///< not the task's hash: a second reference of a task has weights of its own
  mutable std::vector<at::Tensor> state_;  ///< as loaded, in the order of parameters
};

}  // namespace ridgeline::judge
