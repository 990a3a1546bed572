#include "engine/suites/kernelbenchx/check_report.hpp"

#include <fmt/format.h>

#include "engine/suites/modules/check_report_text.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

using nlohmann::json;

constexpr const char* kOutside = "outside the metadata";

/// Returns the first sentence, or as much of it as fits a line.
std::string first_words(const std::string& description) {
  constexpr std::size_t most = 72;
  auto text = description.substr(0, description.find_first_of("\n"));
  if (const auto end = text.find(". "); end != std::string::npos) text.resize(end + 1);
  if (text.size() <= most) return text;
  text.resize(text.rfind(' ', most));
  return text + " …";
}

json quantization_document(const Quantization& quantization) {
  const auto& gates = quantization.gates;
  return {{"weight", quantization.weight},
          {"activation", quantization.activation},
          {"compute", quantization.compute},
          {"output", quantization.output},
          {"gates", {{"cosine", gates.cosine}, {"relative_l1", gates.relative_l1}, {"rmse", gates.rmse}}}};
}

std::string refusals_text(const std::map<Refusal, int>& refused) {
  std::string text;
  for (const auto& [refusal, count] : refused) text += fmt::format(", {} {}", count, to_string(refusal));
  return text;
}

}  // namespace

std::string text_of_file(const TaskFile& task) {
  return task.parts.reference + std::string(separator_length, '#') + task.parts.test;
}

json task_document(const TaskFile& task) {
  json document{{"name", task.full_name()},
                {"category", task.category},
                {"file", task.path.string()},
                {"entry", task.entry},
                {"in_metadata", task.meta.has_value()}};
  if (!task.meta) return document;
  const auto& meta = *task.meta;
  document.update({{"metadata_name", meta.name},
                   {"difficulty", meta.difficulty},
                   {"signature", meta.signature},
                   {"description", meta.description}});
  if (!meta.dtype.empty()) document["dtype"] = meta.dtype;
  if (meta.quantization) document["quantization"] = quantization_document(*meta.quantization);
  return document;
}

Listing listing_of(const std::string& suite, const std::vector<TaskFile>& tasks,
                   const std::filesystem::path& root) {
  Listing listing{.suite = suite, .header = {"task", "difficulty", "entry", "description"}, .rows = {}};
  std::size_t outside = 0;
  for (const auto& task : tasks) {
    const auto difficulty = task.meta ? std::to_string(task.meta->difficulty) : "-";
    listing.rows.push_back({task.full_name(), difficulty, task.entry.empty() ? "-" : task.entry,
                            task.meta ? first_words(task.meta->description) : kOutside});
    listing.documents.push_back(task_document(task));
    if (!task.meta) ++outside;
  }
  listing.footer =
      fmt::format("{} tasks in {}, and {} {}", tasks.size() - outside, root.string(), outside, kOutside);
  return listing;
}

std::string checked_text(const TaskFile& task, const Examined& examined) {
  auto report = examined.report;
  report.assessment = examined.decision.assessment();
  auto name = task.full_name() + (task.meta ? "" : " (outside)");
  if (examined.judged > 0) name += fmt::format(", {} of {} calls", examined.judged, examined.calls);
  return modules::report_text(name, report);
}

json checked_document(const TaskFile& task, const Examined& examined) {
  auto report = examined.report;
  report.assessment = examined.decision.assessment();
  auto document = modules::report_document(task_document(task), report);
  document["calls"] = examined.calls;
  document["cases"] = examined.judged;
  if (examined.decision.refusal) {
    document["refusal"] = to_string(*examined.decision.refusal);
    document["reason"] = examined.decision.reason;
  }
  return document;
}

void CheckCounts::add(const TaskFile& task, const Examined& examined) {
  auto& counted = task.meta ? in_metadata_ : outside_;
  if (examined.decision.refusal)
    ++counted.refused[*examined.decision.refusal];
  else
    ++counted.judged;
}

CheckSummary CheckCounts::summary() const {
  CheckSummary summary;
  bool refused = false, unfit = false;
  auto& counts = summary.members["counts"] = json::object();
  for (const auto* counted : {&in_metadata_, &outside_}) {
    auto& document = counts[counted == &outside_ ? "outside" : "in_metadata"];
    document["judged"] = counted->judged;
    for (const auto& [refusal, count] : counted->refused) {
      document[std::string(to_string(refusal))] = count;
      (refusal == Refusal::does_not_fit ? unfit : refused) = true;
    }
  }
  summary.text = fmt::format("{} can be judged{}", in_metadata_.judged, refusals_text(in_metadata_.refused));
  if (outside_.judged > 0 || !outside_.refused.empty())
    summary.text +=
        fmt::format("; {}: {} can be judged{}", kOutside, outside_.judged, refusals_text(outside_.refused));
  // A task that is wrong stays wrong on a larger machine, so it decides the status first.
  summary.status = refused ? 1 : unfit ? 3 : 0;
  return summary;
}

}  // namespace ridgeline::suites::kernelbenchx
