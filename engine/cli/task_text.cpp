#include "engine/cli/task_text.hpp"

#include <fmt/format.h>

#include "engine/cli/printing.hpp"
#include "engine/core/signature.hpp"

namespace ridgeline::cli {
namespace {

std::string kind_of_case(const Case& one) {
  std::string kind = one.timed ? "timed" : "";
  if (one.hidden) kind += kind.empty() ? "hidden" : ", hidden";
  if (one.final) kind += kind.empty() ? "final" : ", final";
  if (!one.backend.empty()) kind += (kind.empty() ? "on " : " on ") + one.backend;
  return kind;
}

std::string cases_text(const Task& task) {
  std::vector<std::vector<std::string>> rows{{"case", "sizes", "kind"}};
  for (const auto& one : task.cases) {
    std::string sizes;
    for (const auto& [symbol, size] : one.sizes)
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", symbol, size);
    rows.push_back({one.name, std::move(sizes), kind_of_case(one)});
  }
  return as_table(rows);
}

/// The first sentence, cut to a terminal's width.
std::string in_brief(const std::string& description) {
  constexpr std::size_t longest = 64;
  auto text = description.substr(0, description.find_first_of(".;\n"));
  if (text.size() <= longest) return text;
  return text.substr(0, text.rfind(' ', longest)) + " ...";
}

}  // namespace

std::string task_list(const benchmark_tasks::Suite& suite) {
  std::vector<std::vector<std::string>> rows{{"task", "category", "difficulty", "description"}};
  for (const auto& task : suite.tasks)
    rows.push_back({task.name, task.category, std::to_string(task.difficulty), in_brief(task.description)});
  return as_table(rows) + fmt::format("{} tasks in {}\n", suite.tasks.size(), suite.root.string());
}

std::string task_text(const Task& task) {
  std::string text = fmt::format("{} ({}, difficulty {})\n{}\n", task.name, task.category, task.difficulty,
                                 task.description);
  if (!task.formula.empty()) text += '\n' + indented(task.formula, "  ");
  text += '\n' + indented(kernel_stub(task, Language::cpp), "  ");
  text += '\n' + cases_text(task);
  text += fmt::format("\noperations: {}\nbytes: {}\n", task.operations.text(), task.bytes.text());
  text += "\nreference (TorchScript):\n" + indented(task.reference, "  ");
  if (!task.notes.empty()) text += "\nnotes: " + task.notes + '\n';
  return text + "\nhash: " + task.hash + '\n';
}

}  // namespace ridgeline::cli
