#include "engine/campaign/compiled_baselines.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/evaluation/compiled_reference.hpp"

namespace ridgeline::campaign {
namespace {

bool has_a_time(const std::vector<store::BaselineRecord>& records) {
  return !records.empty() && records.front().cold.median > 0;
}

/// A machine's trouble may stand behind stages that were never reached.
std::string what_stopped(const Verdict& verdict) {
  for (const auto& entry : enum_names(Stage{})) {
    const auto& stage = verdict.at(entry.value);
    if (stage.status != Status::passed && stage.status != Status::not_reached) return stage.detail;
  }
  return "nobody was to time it";
}

}  // namespace

std::vector<store::BaselineRecord> baselines_in(const Task& task, const Verdict& verdict, CompileMode mode,
                                                store::Milliseconds now) {
  store::BaselineRecord record{.task_hash = task.hash,
                               .device = verdict.device,
                               .kind = store::BaselineKind::compile,
                               .case_name = task.cases.at(0).name,
                               .measured_at = now,
                               .mode = std::string(to_string(mode))};
  if (const auto failed = verdict.failed_at()) {
    const auto& stage = verdict.at(*failed);
    if (stage.status != Status::failed) return {};
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
                                     const std::vector<store::BaselineRecord>& kept, Means means)
    : mode_(mode), means_(std::move(means)) {
  for (const auto& task : tasks) tasks_[task.hash] = &task;
  for (const auto& one : kept)
    if (one.kind == store::BaselineKind::compile && one.mode == to_string(mode) && one.cold.median > 0)
      timed_.emplace(one.task_hash, one.device);
  known_ = timed_;
}

void CompiledBaselines::want(const Hash& task, const std::string& device) {
  const auto found = tasks_.find(task);
  if (found == tasks_.end() || !known_.emplace(task, device).second) return;
  ++waiting_;
  if (released_)
    ask(*found->second, device);
  else
    held_.emplace_back(found->second, device);
}

void CompiledBaselines::release() {
  released_ = true;
  if (!held_.empty())
    means_.log(
        fmt::format("torch.compile, mode {}: tasks to be measured: {}", to_string(mode_), held_.size()));
  for (const auto& [task, device] : std::exchange(held_, {})) ask(*task, device);
}

void CompiledBaselines::ask(const Task& task, const std::string& device) {
  means_.evaluator.evaluate(
      evaluation::compiled_reference(evaluation::borrowed(task), mode_, means_.settings),
      [this, alive = std::weak_ptr<bool>(alive_), &task, device](Verdict verdict) {
        if (!alive.expired()) take(task, device, std::move(verdict));
      });
}

void CompiledBaselines::take(const Task& task, const std::string& device, Verdict verdict) {
  if (verdict.device.empty()) verdict.device = device;  // it came to none
  const auto records = baselines_in(task, verdict, mode_, means_.now());
  const Place place(task.hash, verdict.device);
  const bool has_time = has_a_time(records);
  if (has_time) {
    known_.insert(place);
    timed_.insert(place);
  }
  // What failed where it was not asked for says nothing, and takes no time's place.
  if (has_time || (verdict.device == device && !timed_.contains(place)))
    for (const auto& record : records) means_.writer.record(record, {});
  tell_trouble(task, device, verdict, records);
  if (--waiting_ == 0 && done_) done_();
}

void CompiledBaselines::tell_trouble(const Task& task, const std::string& device, const Verdict& verdict,
                                     const std::vector<store::BaselineRecord>& records) {
  std::string trouble;
  if (verdict.device != device)
    trouble = fmt::format("was measured on {}; wanted was {}", verdict.device, device);
  else if (!has_a_time(records))
    trouble = "has no time: " + (records.empty() ? what_stopped(verdict) : records.front().description);
  if (!trouble.empty())
    means_.log(fmt::format("torch.compile of {} {}; it is measured again when the campaign is resumed",
                           task.name, trouble));
}

}  // namespace ridgeline::campaign
