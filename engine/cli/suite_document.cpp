#include "engine/cli/suite_document.hpp"

#include <nlohmann/json.hpp>

namespace ridgeline::cli {

nlohmann::json suite_document(const std::vector<store::SuiteTaskRecord>& suite) {
  auto list = nlohmann::json::array();
  for (const auto& one : suite)
    list.push_back({{"task", one.file},
                    {"standing", to_string(one.standing)},
                    {"reason", one.reason},
                    {"notes", one.notes},
                    {"asked", !one.task_hash.empty()}});
  return list;
}

}  // namespace ridgeline::cli
