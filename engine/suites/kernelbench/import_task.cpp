#include "engine/suites/kernelbench/import_task.hpp"

#include "engine/core/error.hpp"
#include "engine/suites/kernelbench/native_task.hpp"

namespace ridgeline::suites::kernelbench {

ImportedTask import_task(const TaskFile& file, std::string text, const CheckReport& report,
                         std::string_view backend) {
  ImportedTask imported{report.assessment, std::nullopt};
  if (!can_be_judged(report.assessment.standing)) return imported;
  try {
    imported.task = native_task(file, std::move(text), report.description.value(), backend);
  } catch (const BadInput& error) {
    imported.assessment.standing = Standing::unsupported;
    const std::string reason = error.what(), named = file.full_name() + ": ";
    imported.assessment.reason = reason.starts_with(named) ? reason.substr(named.size()) : reason;
  }
  return imported;
}

}  // namespace ridgeline::suites::kernelbench
