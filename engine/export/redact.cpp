#include "engine/export/redact.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/secret_cases.hpp"

namespace ridgeline::exporting {
namespace {

template <class Rows>
void drop(Rows& rows, const std::set<std::string>& secret) {
  std::erase_if(rows, [&](const auto& row) { return secret.contains(row.case_name); });
}

}  // namespace

std::set<std::string> secret_cases(const std::string& task_document) {
  std::set<std::string> names;
  const auto document = nlohmann::json::parse(task_document);
  for (const auto& one : document.value("cases", nlohmann::json::array()))
    if (one.value("hidden", false) || one.value("final", false))
      names.insert(one.at("name").get<std::string>());
  return names;
}

Verdict without_secrets(Verdict verdict, const std::set<std::string>& secret) {
  const auto hidden = [&](const auto& fact) { return fact.hidden || secret.contains(fact.case_name); };
  bool told_of_secret = false;
  if (verdict.call_failure && hidden(*verdict.call_failure)) {
    verdict.call_failure.reset();
    told_of_secret = true;
  }
  told_of_secret |= std::erase_if(verdict.mismatches, hidden) > 0;
  drop(verdict.errors, secret);
  drop(verdict.quantization, secret);
  drop(verdict.rooflines, secret);
  drop(verdict.launches, secret);
  if (verdict.timing) drop(verdict.timing->cases, secret);
  verdict.final_failures.clear();
  for (auto& stage : verdict.stages) {
    told_of_secret |= names_any(stage.detail, secret);
    if (stage.status == Status::failed && told_of_secret) stage.detail = "on an unseen case";
  }
  return verdict;
}

}  // namespace ridgeline::exporting
