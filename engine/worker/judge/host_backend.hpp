// Candidates on one thread of the CPU.
#pragma once

#include <optional>

#include "engine/worker/judge/backend.hpp"

namespace ridgeline::judge {

class HostBackend final : public Backend {
 public:
  std::string name() const override { return "cpu"; }
  std::string device() const override;
  bool runs(Language language) const override { return language == Language::cpp; }
  void describe(protocol::Described& described) const override;
  void adapt(RunnerSettings&) override {}
  std::unique_ptr<Arena> make_arena(const Task& task, const Case& one, std::size_t slots) override;
  std::size_t timing_slots(const Task& task, const PreparedCase& one) const override;
  void place(verifier::Reference&) const override {}
  void finish_reference() const override {}
  std::string baseline_name(const Task& task) const override;
  Evidence weigh(const std::vector<BatchPair>& pairs, double overhead) const override;
  const Ceilings& ceilings() override;
  double theoretical_bandwidth() override;

 private:
  std::optional<Ceilings> ceilings_;
};

/// The machine's memory, bytes.
double total_memory();

}  // namespace ridgeline::judge
