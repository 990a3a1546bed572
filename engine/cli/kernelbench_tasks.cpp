#include "engine/cli/kernelbench_tasks.hpp"

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/cli/printing.hpp"
#include "engine/core/error.hpp"
#include "engine/oracle/oracle_process.hpp"
#include "engine/suites/kernelbench/check_file.hpp"
#include "engine/suites/kernelbench/native_task.hpp"
#include "engine/suites/kernelbench/oracle_settings.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;
using suites::kernelbench::Assessment;
using suites::kernelbench::CheckReport;
using suites::kernelbench::Standing;
using suites::kernelbench::TaskFile;

std::vector<TaskFile> chosen(const KernelBenchOptions& options) {
  const auto levels =
      options.levels.empty() ? std::vector<int>{} : suites::kernelbench::parse_levels(options.levels);
  return suites::kernelbench::select(suites::kernelbench::open_clone(options.clone, levels), options.tasks);
}

json named(const TaskFile& task) {
  return {{"name", task.full_name()},
          {"level", task.level},
          {"number", task.number},
          {"file", task.path.string()}};
}

json report_json(const TaskFile& task, const CheckReport& report) {
  auto document = named(task);
  const auto& assessment = report.assessment;
  document.update({{"standing", to_string(assessment.standing)},
                   {"reason", assessment.reason},
                   {"notes", assessment.notes},
                   {"seconds", report.seconds},
                   {"peak_bytes", report.peak_bytes}});
  if (!report.description) return document;
  const auto& bytes = report.description->bytes;
  document["bytes"] = {{"state", bytes.state},
                       {"inputs", bytes.inputs},
                       {"outputs", bytes.outputs},
                       {"forward", bytes.forward}};
  return document;
}

void print_report(const TaskFile& task, const CheckReport& report) {
  const auto& assessment = report.assessment;
  const auto peak = report.peak_bytes == 0 ? "" : suites::kernelbench::byte_text(report.peak_bytes);
  std::cout << fmt::format("{:<12} {:<52} {:>7.1f} s {:>10}{}{}\n", to_string(assessment.standing),
                           task.full_name(), report.seconds, peak, assessment.reason.empty() ? "" : "  ",
                           assessment.reason);
  for (const auto& note : assessment.notes) std::cout << fmt::format("{:13}note: {}\n", "", note);
  std::cout << std::flush;
}

int exit_code(const std::map<Standing, int>& counts) {
  if (counts.contains(Standing::broken) || counts.contains(Standing::degenerate)) return 1;
  return counts.contains(Standing::does_not_fit) ? 3 : 0;
}

}  // namespace

KernelBenchTasks::KernelBenchTasks(const std::filesystem::path& clone)
    : clone_(suites::kernelbench::open_clone(clone)), oracle_(suites::kernelbench::oracle_settings()) {}

suites::kernelbench::TaskFile KernelBenchTasks::file(const std::string& name) const {
  auto found = suites::kernelbench::select(clone_, {name});
  if (found.size() != 1)
    throw BadInput(fmt::format("'{}' means {} tasks of kernelbench:{}, {} and {} among them; name one", name,
                               found.size(), clone_.root.string(), found[0].full_name(),
                               found[1].full_name()));
  return std::move(found.front());
}

Task KernelBenchTasks::task(const std::string& name, std::string_view backend) {
  const auto file = this->file(name);
  auto text = suites::kernelbench::read_text(file);
  const auto answer = oracle_.describe(text, KernelBenchOptions{}.timeout);
  if (const auto* failure = std::get_if<oracle::OracleFailure>(&answer))
    throw BadInput(fmt::format("{}: cannot be run as a task: {}", file.path.string(), failure->message));
  return suites::kernelbench::native_task(file, std::move(text.text), std::get<oracle::Description>(answer),
                                          backend);
}

void list_kernelbench(const KernelBenchOptions& options) {
  const auto tasks = chosen(options);
  json all = json::array();
  for (const auto& task : tasks) {
    all.push_back(named(task));
    if (!options.json) std::cout << task.full_name() << '\n';
  }
  if (options.json) print_json("tasks list", {{"suite", "kernelbench"}, {"tasks", all}});
}

void show_kernelbench(const KernelBenchOptions& options) {
  json all = json::array();
  for (const auto& task : chosen(options)) {
    const auto text = suites::kernelbench::read_text(task).text;
    if (!options.json) std::cout << fmt::format("# {}\n{}\n", task.path.string(), text);
    auto document = named(task);
    document["text"] = text;
    all.push_back(document);
  }
  if (options.json) print_json("tasks show", {{"tasks", all}});
}

void check_kernelbench(const KernelBenchOptions& options, Exit& exit) {
  const auto tasks = chosen(options);
  oracle::OracleProcess process(suites::kernelbench::oracle_settings(options.device));
  std::map<Standing, int> counts;
  json all = json::array();
  for (const auto& task : tasks) {
    const auto report = suites::kernelbench::check_file(process, task, options.timeout);
    ++counts[report.assessment.standing];
    all.push_back(report_json(task, report));
    if (!options.json) print_report(task, report);
    std::cerr << fmt::format("{} of {} tasks checked\n", all.size(), tasks.size());
  }
  json counted = json::object();
  std::string summary;
  for (const auto& [standing, count] : counts) {
    counted[std::string(to_string(standing))] = count;
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, to_string(standing));
  }
  exit.code = exit_code(counts);
  if (options.json)
    print_json("tasks check", {{"passed", exit.code == 0}, {"counts", counted}, {"tasks", all}});
  else
    std::cout << summary << '\n';
}

}  // namespace ridgeline::cli
