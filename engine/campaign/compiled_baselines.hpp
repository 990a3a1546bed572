// torch.compile's times of the tasks that were answered rightly: the second baseline of modules.
//
// Measured once a task and device, and kept in the store from campaign to campaign. They are of no
// trajectory, so they take no time from one: they are held back until somebody says that nothing is kept
// waiting. One thread, the campaign's.
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

/// What an evaluation of `task`'s compiled reference says, a record a timed case. Without a time, and with
/// the reason, where it failed or its figures deserve doubt; none where a machine ended it.
std::vector<store::BaselineRecord> baselines_in(const Task& task, const Verdict& verdict, CompileMode mode,
                                                store::Milliseconds now);

class CompiledBaselines {
 public:
  struct Means {
    evaluation::Evaluator& evaluator;
    store::Writer& writer;
    protocol::EvaluateSettings settings;
    std::function<store::Milliseconds()> now;
    std::function<void(const std::string&)> log;
  };

  /// `tasks` outlive it; `kept` is what the store has.
  CompiledBaselines(CompileMode mode, const std::vector<Task>& tasks,
                    const std::vector<store::BaselineRecord>& kept, Means means);

  /// To be measured, unless it is kept with a time or was wanted before. Returns at once.
  void want(const Hash& task, const std::string& device);
  /// From now on what is wanted is asked for at once.
  void release();

  /// Wanted, and not there yet.
  int waiting() const { return waiting_; }
  /// Of them those that were asked for.
  int measuring() const { return waiting_ - static_cast<int>(held_.size()); }
  /// Called whenever the last one that was waited for has come.
  void when_done(std::function<void()> done) { done_ = std::move(done); }

 private:
  void ask(const Task& task, const std::string& device);
  void take(const Task& task, const std::string& device, Verdict verdict);
  void tell_trouble(const Task& task, const std::string& device, const Verdict& verdict,
                    const std::vector<store::BaselineRecord>& records);

  CompileMode mode_;
  std::map<Hash, const Task*> tasks_;
  using Place = std::pair<Hash, std::string>;  // task, device
  std::set<Place> known_;                      // a time is kept, or it is wanted
  std::set<Place> timed_;
  std::vector<std::pair<const Task*, std::string>> held_;
  bool released_ = false;
  Means means_;
  std::function<void()> done_;
  int waiting_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // verdicts that come late see it
};

}  // namespace ridgeline::campaign
