// torch.compile's times of the tasks that were answered rightly: the second baseline of KernelBench.
//
// Measured beside the trajectories, once a task and device, and kept in the store from campaign to campaign.
// They are of no trajectory, so they count against no budget. One thread, the campaign's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/compile_mode.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "engine/store/records.hpp"
#include "engine/store/writer.hpp"

namespace ridgeline::campaign {

/// What an evaluation of a compiled reference says, a record a timed case; one without a time and a case
/// where it failed, with the reason. None where a machine ended it: it may be asked for again.
std::vector<store::BaselineRecord> baselines_in(const Verdict& verdict, CompileMode mode,
                                                store::Milliseconds now);

class CompiledBaselines {
 public:
  struct Means {
    Evaluator& evaluator;
    store::Writer& writer;
    protocol::EvaluateSettings settings;
    std::function<store::Milliseconds()> now;
    std::function<void(const std::string&)> log;
  };

  /// `tasks` outlive it; `kept` is what the store has.
  CompiledBaselines(CompileMode mode, const std::vector<Task>& tasks,
                    const std::vector<store::BaselineRecord>& kept, Means means);

  /// Asks for it unless it is kept or was asked for. Returns at once.
  void want(const Hash& task, const std::string& device);

  int waiting() const { return waiting_; }
  /// Called whenever the last one that was waited for has come.
  void when_done(std::function<void()> done) { done_ = std::move(done); }

 private:
  void take(const Task& task, const Verdict& verdict);

  CompileMode mode_;
  std::map<Hash, const Task*> tasks_;
  std::set<std::pair<Hash, std::string>> known_;  // task, device: kept, or asked for
  Means means_;
  std::function<void()> done_;
  int waiting_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // verdicts that come late see it
};

}  // namespace ridgeline::campaign
