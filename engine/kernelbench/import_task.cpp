#include "engine/kernelbench/import_task.hpp"

#include "engine/core/error.hpp"
#include "engine/kernelbench/native_task.hpp"

namespace ridgeline::kernelbench {

ImportedTask import_task(const TaskFile& file, std::string text, const CheckReport& report,
                         std::string_view backend) {
  ImportedTask imported{report.assessment, std::nullopt};
  if (!can_be_judged(report.assessment.standing)) return imported;
  try {
    imported.task = native_task(file, std::move(text), report.description.value(), backend);
  } catch (const BadInput& error) {
    imported.assessment.standing = Standing::unsupported;
    imported.assessment.reason = error.what();
  }
  return imported;
}

}  // namespace ridgeline::kernelbench
