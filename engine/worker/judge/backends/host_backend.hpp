// Judges candidates on one thread of the CPU.
#pragma once

#include <optional>

#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/judge/tasks/module_reference.hpp"

namespace ridgeline::judge {

class HostBackend : public Backend {
 public:
  /// `python` runs modules, their references and candidates in an interpreter; empty: none of these run.
  explicit HostBackend(std::optional<PythonProgram> python = std::nullopt) : python_(std::move(python)) {}

  std::string name() const override { return "cpu"; }
  std::string device() const override;
  bool runs(Language language) const override {
    const auto& known = traits(language);
    return known.runs_on(name()) && (known.runtime == Runtime::library || python_);
  }
  void describe(protocol::Described& described) const override;
  void configure_runner(RunnerSettings&) override {}
  std::unique_ptr<Arena> make_arena(const Task& task, const Case& definition, std::size_t slots) override;
  std::size_t timing_slots(const Task& task, const PreparedCase& prepared_case) const override;
  bool needs_streaming(const Task& task, const Case& definition) const override;
  SamplingLimits sampling(double cap) const override;
  std::size_t task_memory() const override { return std::size_t{512} << 20; }
  std::unique_ptr<const verifier::Reference> make_reference(const Task& task) override;
  std::unique_ptr<const verifier::Reference> make_kernelbench_reference(const Task& task) override;
  void expect_modules() override { oracle()->process.begin(); }
  void wait_for_reference() const override {}
  std::string baseline_name(const Task& task) const override;
  /// By CPU time, since there is one thread: a window also holds what others took of the core.
  double seconds_a_call(const BatchPair& pair, const Overhead& overhead) const override {
    return quotient(pair, Clock::cpu, overhead);
  }
  double slope_a_call(const BatchPair& pair) const override { return slope(pair, Clock::cpu); }
  Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const override;
  const Ceilings& ceilings() override;
  void remeasure_ceilings(bool exceeded) override;
  double theoretical_bandwidth() override;

 private:
  const std::shared_ptr<SharedOracle>& oracle();
  std::unique_ptr<const verifier::Reference> module_reference(const Task& task,
                                                              const oracle::Weights& weights);

  std::optional<PythonProgram> python_;
  std::shared_ptr<SharedOracle> oracle_;  // made when a module is first asked for
  std::optional<Ceilings> ceilings_;
  int remeasurements_ = 0;
};

}  // namespace ridgeline::judge
