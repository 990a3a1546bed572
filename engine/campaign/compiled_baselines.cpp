#include "engine/campaign/compiled_baselines.hpp"

#include <fmt/format.h>

#include "engine/evaluation/compiled_reference.hpp"

namespace ridgeline::campaign {

std::vector<store::BaselineRecord> baselines_in(const Verdict& verdict, CompileMode mode,
                                                store::Milliseconds now) {
  store::BaselineRecord record{.task_hash = verdict.task,
                               .device = verdict.device,
                               .kind = store::BaselineKind::compile,
                               .measured_at = now,
                               .mode = std::string(to_string(mode))};
  if (const auto failed = verdict.failed_at()) {
    const auto& stage = verdict.at(*failed);
    if (stage.status != Status::failed) return {};
    record.description = fmt::format("{}: {}", to_string(*failed), stage.detail);
    return {record};
  }
  if (!verdict.timing) return {};
  std::vector<store::BaselineRecord> records;
  for (const auto& timed : verdict.timing->cases) {
    record.case_name = timed.case_name;
    record.description =
        fmt::format("torch.compile, mode {}; beside {}", record.mode, verdict.timing->baseline);
    record.cold = timed.cold;
    record.eager = timed.baseline_cold.median;
    records.push_back(record);
  }
  return records;
}

CompiledBaselines::CompiledBaselines(CompileMode mode, const std::vector<Task>& tasks,
                                     const std::vector<store::BaselineRecord>& kept, Means means)
    : mode_(mode), means_(std::move(means)) {
  for (const auto& task : tasks) tasks_[task.hash] = &task;
  for (const auto& one : kept)
    if (one.kind == store::BaselineKind::compile && one.mode == to_string(mode))
      known_.emplace(one.task_hash, one.device);
}

void CompiledBaselines::want(const Hash& task, const std::string& device) {
  const auto found = tasks_.find(task);
  if (found == tasks_.end() || !known_.emplace(task, device).second) return;
  ++waiting_;
  means_.evaluator.evaluate(
      evaluation::compiled_reference(borrowed(*found->second), mode_, means_.settings),
      [this, alive = std::weak_ptr<bool>(alive_), task = found->second](const Verdict& verdict) {
        if (!alive.expired()) take(*task, verdict);
      });
}

void CompiledBaselines::take(const Task& task, const Verdict& verdict) {
  const auto records = baselines_in(verdict, mode_, means_.now());
  const bool timed = !records.empty() && records.front().cold.median > 0;
  if (!timed) {
    const auto failed = verdict.failed_at();
    means_.log(fmt::format("torch.compile of {} gave no time: {}{}", task.name,
                           failed ? verdict.at(*failed).detail : "it was not timed",
                           records.empty() ? "; asked for again when the campaign is resumed" : ""));
  }
  for (const auto& record : records) {
    known_.emplace(record.task_hash, record.device);
    means_.writer.record(record, {});
  }
  if (--waiting_ == 0 && done_) done_();
}

}  // namespace ridgeline::campaign
