#include "engine/cli/write_csv.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/cli/replace_file.hpp"
#include "engine/compare/csv.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::cli {

void write_csv(const std::string& folder, const nlohmann::json& comparison) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw MachineCannot("--csv " + folder + ": cannot be made: " + failed.message());
  for (const auto& [name, text] : compare::csv_tables(comparison))
    replace_file((std::filesystem::path(folder) / (name + ".csv")).string(),
                 [&text = text](std::ostream& file) { file << text; });
}

}  // namespace ridgeline::cli
