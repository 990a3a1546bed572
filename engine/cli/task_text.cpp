#include "engine/cli/task_text.hpp"

#include <fmt/format.h>

#include "engine/cli/printing.hpp"
#include "engine/core/signature.hpp"

namespace ridgeline::cli {
namespace {

std::string kind_of_case(const Case& described) {
  std::string kind = described.timed ? "timed" : "";
  if (described.hidden) kind += kind.empty() ? "hidden" : ", hidden";
  if (described.final) kind += kind.empty() ? "final" : ", final";
  if (!described.backend.empty()) kind += (kind.empty() ? "on " : " on ") + described.backend;
  return kind;
}

std::string cases_text(const Task& task) {
  std::vector<std::vector<std::string>> rows{{"case", "sizes", "kind"}};
  for (const auto& listed : task.cases) {
    std::string sizes;
    for (const auto& [symbol, size] : listed.sizes)
      sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", symbol, size);
    rows.push_back({listed.name, std::move(sizes), kind_of_case(listed)});
  }
  return as_table(rows);
}

}  // namespace

std::string listing_text(const suites::Listing& listing) {
  auto rows = listing.rows;
  if (!listing.header.empty()) rows.insert(rows.begin(), listing.header);
  return as_table(rows) + (listing.footer.empty() ? "" : listing.footer + '\n');
}

std::string task_text(const Task& task) {
  std::string text = fmt::format("{} ({}, difficulty {})\n{}\n", task.name, task.category, task.difficulty,
                                 task.description);
  if (!task.formula.empty()) text += '\n' + indented(task.formula, "  ");
  // C++ shows names, types and constness; `--stub` prints the other languages.
  text += '\n' + indented(kernel_stub(task, Language::cpp), "  ");
  text += '\n' + cases_text(task);
  text += fmt::format("\noperations: {}\nbytes: {}\n", task.operations.text(), task.bytes.text());
  text += fmt::format("\nreference ({}):\n", task.module ? "Python" : "TorchScript") +
          indented(task.reference, "  ");
  if (!task.notes.empty()) text += "\nnotes: " + task.notes + '\n';
  return text + "\nhash: " + task.hash + '\n';
}

}  // namespace ridgeline::cli
