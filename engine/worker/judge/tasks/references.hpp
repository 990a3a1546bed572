// Makes references, which run on the device where candidates run. A backend implements this port. All
// calls come from one thread.
#pragma once

#include <memory>
#include <string>

#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::judge {

class References {
 public:
  virtual ~References() = default;

  /// Makes the task's reference, which runs where candidates run and copies what it needs of `task`. Each
  /// call gives a module's reference new secret weights. Throws BadInput, naming the task, if its TorchScript
  /// does not compile (a module is read later: see Reference::make_ready), and MachineCannot if it is a
  /// module and this machine has no Python to run it.
  virtual std::unique_ptr<const verifier::Reference> make(const Task& task) = 0;
  /// Makes the reference of a module with the weights that KernelBench gives it (oracle_process.hpp), which
  /// are public. `task.module` must be set. Throws as `make`.
  virtual std::unique_ptr<const verifier::Reference> make_kernelbench(const Task& task) = 0;
  /// Says that modules will come: a backend may begin to start the oracle, which runs them, and returns at
  /// once. Throws MachineCannot if this machine has no Python for it. By default does nothing.
  virtual void expect_modules() {}
  /// Waits until the device has done the work that this process gave it. Work of the modules' process is not
  /// waited for. Throws MachineCannot if that failed.
  virtual void wait_until_done() const = 0;
  /// Returns what a baseline of the task is called: "eager LibTorch 2.11.0, 1 thread, float32". Throws
  /// MachineCannot if it is a module and this machine has no Python to run it.
  virtual std::string baseline_name(const Task& task) const = 0;
};

}  // namespace ridgeline::judge
