#include "engine/campaign/compiled_baselines.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/evaluation/compiled_reference.hpp"

namespace ridgeline::campaign {
namespace {

bool has_a_time(const std::vector<store::BaselineRecord>& records) {
  return !records.empty() && records.front().cold.median > 0;
}

/// Returns why the reference has no time. A machine's trouble may stand behind stages that were never
/// reached, so those are passed over.
std::string reason_for_no_time(const Verdict& verdict) {
  for (const auto& entry : enum_names(Stage{})) {
    const auto& stage = verdict.at(entry.value);
    if (stage.status != Status::passed && stage.status != Status::not_reached) return stage.detail;
  }
  return "no stage timed it";
}

}  // namespace

std::vector<store::BaselineRecord> compiled_baseline_records(const Task& task, const Verdict& verdict,
                                                             CompileMode mode, store::Milliseconds now) {
  store::BaselineRecord record{.task_hash = task.hash,
                               .device = verdict.device,
                               .kind = store::BaselineKind::compile,
                               .case_name = task.cases.at(0).name,
                               .measured_at = now,
                               .mode = std::string(to_string(mode))};
  if (const auto failed = verdict.failed_at()) {
    const auto& stage = verdict.at(*failed);
    if (stage.status != Status::failed) return {};  // the machine's fault: says nothing of the task
    record.description = fmt::format("{}: {}", to_string(*failed), stage.detail);
    return {record};
  }
  if (const auto doubts = verdict.suspicions(); !doubts.empty()) {
    record.description = "doubtful: " + doubts.front();
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
                                     const std::vector<store::BaselineRecord>& stored,
                                     Dependencies dependencies)
    : mode_(mode), dependencies_(std::move(dependencies)) {
  for (const auto& task : tasks) tasks_[task.hash] = &task;
  // A record without a time is a failure of an earlier run, which may succeed now: it is measured again.
  for (const auto& record : stored)
    if (record.kind == store::BaselineKind::compile && record.mode == to_string(mode) &&
        record.cold.median > 0)
      timed_.emplace(record.task_hash, record.device);
  wanted_or_timed_ = timed_;
}

void CompiledBaselines::want(const Hash& task, const std::string& device) {
  const auto known = tasks_.find(task);
  if (known == tasks_.end() || !wanted_or_timed_.emplace(task, device).second) return;
  ++waiting_;
  if (released_)
    measure(*known->second, device);
  else
    queued_until_release_.emplace_back(known->second, device);
}

void CompiledBaselines::release() {
  released_ = true;
  if (!queued_until_release_.empty())
    dependencies_.log(fmt::format("torch.compile, mode {}: tasks to be measured: {}", to_string(mode_),
                                  queued_until_release_.size()));
  for (const auto& [task, device] : std::exchange(queued_until_release_, {})) measure(*task, device);
}

void CompiledBaselines::measure(const Task& task, const std::string& device) {
  dependencies_.evaluator.evaluate(
      evaluation::compiled_reference(evaluation::borrowed(task), mode_, dependencies_.settings),
      [this, alive = std::weak_ptr<bool>(alive_), &task, device](Verdict verdict) {
        if (!alive.expired()) record_result(task, device, std::move(verdict));
      });
}

void CompiledBaselines::record_result(const Task& task, const std::string& device, Verdict verdict) {
  if (verdict.device.empty()) verdict.device = device;  // the evaluation failed before it reached a device
  const auto records = compiled_baseline_records(task, verdict, mode_, dependencies_.now());
  // A pool of several machines may have measured on another device than the one requested.
  const TaskOnDevice place(task.hash, verdict.device);
  const bool has_time = has_a_time(records);
  if (has_time) {
    wanted_or_timed_.insert(place);
    timed_.insert(place);
  }
  // A failure is recorded only for the device that was requested, and never replaces a time.
  if (has_time || (verdict.device == device && !timed_.contains(place)))
    for (const auto& record : records) dependencies_.writer.record(record, {});
  log_trouble(task, device, verdict, records);
  if (--waiting_ == 0 && done_) done_();
}

void CompiledBaselines::log_trouble(const Task& task, const std::string& device, const Verdict& verdict,
                                    const std::vector<store::BaselineRecord>& records) {
  std::string trouble;
  if (verdict.device != device)
    trouble = fmt::format("was measured on {} and not on {}", verdict.device, device);
  else if (!has_a_time(records))
    trouble = "has no time: " + (records.empty() ? reason_for_no_time(verdict) : records.front().description);
  if (!trouble.empty())
    dependencies_.log(fmt::format("torch.compile of {} {}; it is measured again when the campaign is resumed",
                                  task.name, trouble));
}

}  // namespace ridgeline::campaign
