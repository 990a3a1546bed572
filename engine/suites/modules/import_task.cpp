#include "engine/suites/modules/import_task.hpp"

#include "engine/core/error.hpp"

namespace ridgeline::suites::modules {

ImportedTask import_task(const TaskNames& names, oracle::TaskText file, const CheckReport& report,
                         std::string_view backend) {
  ImportedTask imported{report.assessment, std::nullopt};
  if (!can_be_judged(report.assessment.standing)) return imported;
  try {
    imported.task = native_task(names, std::move(file), report.description.value(), backend);
  } catch (const BadInput& error) {
    // Ridgeline's limit and no fault of the file: campaigns report it apart from broken tasks.
    imported.assessment.standing = Standing::unsupported;
    const std::string reason = error.what(), prefix = names.file + ": ";  // every report names the file
    imported.assessment.reason = reason.starts_with(prefix) ? reason.substr(prefix.size()) : reason;
  }
  return imported;
}

}  // namespace ridgeline::suites::modules
