// A task's module (core/task.hpp) as a reference: an oracle process runs it, and tensors travel through
// memory files that the judge makes.
//
// One thread. References of several tasks share one oracle; it loads a task's module again when the turn
// changes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/oracle/oracle_process.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::judge {

/// The oracle and what it has loaded.
struct SharedOracle {
  oracle::OracleProcess process;
  std::uint64_t references = 0;  ///< made so far; each has its number
  std::uint64_t loaded = 0;      ///< the reference whose module it holds; 0 for none
};

class ModuleReference final : public verifier::Reference {
 public:
  /// `weights_seed` is the judge's secret, and the task's state follows from it. Starts nothing yet.
  ModuleReference(Task task, std::uint64_t weights_seed, std::shared_ptr<SharedOracle> oracle);

  /// In float64 if any of `args` is, with every floating output in float64 then. Throws BadInput with what
  /// the module said, MachineCannot where there is no oracle or too little memory.
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& one) const override;
  std::vector<at::Tensor> draw(std::uint64_t seed) const override;

 private:
  void load() const;

  Task task_;
  std::uint64_t weights_seed_;
  std::shared_ptr<SharedOracle> oracle_;
  std::uint64_t number_;  ///< not the task's hash: a second reference of a task has weights of its own
  mutable std::vector<at::Tensor> state_;  ///< as loaded, in the order of parameters
};

}  // namespace ridgeline::judge
