#include "engine/cli/suite_document.hpp"

#include <nlohmann/json.hpp>

namespace ridgeline::cli {

nlohmann::json suite_document(const std::vector<store::SuiteTaskRecord>& suite) {
  auto list = nlohmann::json::array();
  for (const auto& file : suite)
    list.push_back({{"task", file.file},
                    {"standing", to_string(file.standing)},
                    {"reason", file.reason},
                    {"notes", file.notes},
                    {"asked", !file.task_hash.empty()}});
  return list;
}

}  // namespace ridgeline::cli
