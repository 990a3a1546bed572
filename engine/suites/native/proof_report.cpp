#include "engine/suites/native/proof_report.hpp"

#include <fmt/format.h>

#include "benchmark_tasks/script_places.hpp"

namespace ridgeline::suites::native {
namespace {

using nlohmann::json;

/// Says the first complaint and how many more there are: enough to begin repairing, as the lines above have
/// the rest.
std::string first_and_count(const std::vector<std::string>& complaints) {
  return complaints.front() +
         (complaints.size() > 1 ? fmt::format("; and {} more tasks", complaints.size() - 1) : "");
}

}  // namespace

CheckedTask ProofReport::take(const Task& task, const ProofOutcome& outcome) {
  // Replies come in any order; the task's place in the vector finds its file.
  const auto& file = files_.at(static_cast<std::size_t>(&task - tasks_.data()));
  const auto* failure = std::get_if<protocol::Failed>(&outcome);
  return failure ? failed(task, *failure, file) : judged(task, std::get<protocol::Checked>(outcome), file);
}

CheckedTask ProofReport::judged(const Task& task, const protocol::Checked& checked,
                                const std::filesystem::path& file) {
  json items = json::array();
  std::string fault, text;
  for (const auto& item : checked.items) {
    // Only a complaint has a place in the file; what passed is a remark about the whole task.
    const auto message = item.passed ? item.message : benchmark_tasks::placed(item.message, file);
    items.push_back({{"name", item.name}, {"passed", item.passed}, {"message", message}});
    if (!item.passed && fault.empty()) fault = message;
    text += fmt::format("{} {}: {}{}\n", item.passed ? "ok  " : "FAIL", task.name, item.name,
                        message.empty() ? "" : ": " + message);
  }
  if (!fault.empty()) unsound_.push_back(fault);
  return {text, {{"task", task.name}, {"passed", fault.empty()}, {"items", items}}, tasks_.size()};
}

CheckedTask ProofReport::failed(const Task& task, const protocol::Failed& failure,
                                const std::filesystem::path& file) {
  const auto message = benchmark_tasks::placed(failure.message, file);
  // A request that makes no sense is the task's fault, and every other failure the machine's.
  (failure.kind == protocol::Failure::bad_request ? unsound_ : unchecked_).push_back(message);
  const auto kind = to_string(failure.kind);
  return {fmt::format("FAIL {}: {}: {}\n", task.name, kind, message),
          {{"task", task.name}, {"passed", false}, {"failure", kind}, {"message", message}},
          tasks_.size()};
}

CheckSummary ProofReport::summary() const {
  // An unsound task stays unsound on any machine, so it decides before a machine that failed.
  CheckSummary summary;
  if (!unsound_.empty()) {
    summary.status = 2;
    summary.error = first_and_count(unsound_);
  } else if (!unchecked_.empty()) {
    summary.status = 3;
    summary.error = first_and_count(unchecked_);
  }
  return summary;
}

}  // namespace ridgeline::suites::native
