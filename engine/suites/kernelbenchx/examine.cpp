#include "engine/suites/kernelbenchx/examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "engine/core/error.hpp"
#include "engine/suites/modules/native_task.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

/// Adds what a later stage found; its refusal counts, as the earlier ones had none.
void add_to(Decision& decision, Decision later) {
  decision.refusal = later.refusal;
  decision.reason = std::move(later.reason);
  decision.notes.insert(decision.notes.end(), later.notes.begin(), later.notes.end());
}

modules::TaskNames names_of_task(const TaskFile& task) {
  const auto said = task.meta ? task.meta->description : "";
  return {task.full_name(), task.identifier(), task.category, task.meta ? task.meta->difficulty : 1,
          said.empty() ? fmt::format("KernelBench-X's {}", task.full_name()) : said};
}

/// Draws of inputs whose outliers leave the function's domain have none.
void bound_inputs(Task& task, const std::vector<bool>& within) {
  std::size_t position = 0;
  for (auto& parameter : task.parameters) {
    auto* tensor = std::get_if<Tensor>(&parameter);
    if (!tensor || tensor->role != Role::in || position >= within.size()) continue;
    if (within[position++]) tensor->input.outliers = false;
  }
}

}  // namespace

Support read_support(const Clone& clone) {
  const auto path = clone.root / "utils" / "data_utils.py";
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file)
    throw BadInput(
        fmt::format("{}: cannot be read, and tests import it; name a whole clone of "
                    "BonnieW05/KernelBenchX",
                    path.string()));
  return {{"data_utils", text.str()}};
}

Examined examine_file(oracle::OracleProcess& oracle, const TaskFile& task, const Support& support,
                      const Effort& effort) {
  Examined examined;
  examined.decision = decide(task);
  if (examined.decision.refusal) return examined;
  auto answer = oracle.harvest({task.full_name(), task.parts.reference, task.parts.test, task.entry, support},
                               effort.seconds);
  auto& report = examined.report;
  report.seconds = oracle.last_cost().seconds;
  if (const auto* failure = std::get_if<oracle::OracleFailure>(&answer)) {
    examined.decision = decide(*failure);
    return examined;
  }
  auto& harvest = std::get<oracle::Harvest>(answer);
  examined.calls = harvest.calls;
  examined.judged = static_cast<int>(harvest.chosen.size());
  examined.decision = decide(harvest);
  if (examined.decision.refusal) return examined;
  const oracle::TaskText module{task.full_name(), harvest.text};
  // At least a second: a limit of nothing would report slowness that nothing has shown.
  const double left = std::max(1.0, effort.seconds - report.seconds);
  auto checked = effort.tries ? modules::check_text(oracle, module, left, modules::Evaluator::another)
                              : modules::describe_text(oracle, module, left);
  checked.seconds += report.seconds;
  report = std::move(checked);
  add_to(examined.decision, decide(report.assessment));
  const auto& refusal = examined.decision.refusal;
  // A degenerate task can be answered, and is reported apart.
  if (!refusal || *refusal == Refusal::degenerate) examined.harvest = std::move(harvest);
  return examined;
}

Task make_task(const TaskFile& task, const Examined& examined, std::string_view backend) {
  const auto& harvest = examined.harvest.value();
  auto made = modules::native_task(names_of_task(task), {task.full_name(), harvest.text},
                                   examined.report.description.value(), backend);
  made.module->function = task.entry;
  made.module->adapter = harvest.adapter;
  bound_inputs(made, harvest.within);
  made.hash = hash_of(made);
  return made;
}

}  // namespace ridgeline::suites::kernelbenchx
