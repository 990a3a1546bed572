// Turns a checked module file into a task for a campaign, or into the reason why no model is asked about it.
// No I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/task.hpp"
#include "engine/suites/modules/check_text.hpp"
#include "engine/suites/modules/native_task.hpp"

namespace ridgeline::suites::modules {

/// A task, or why there is none.
struct ImportedTask {
  Assessment assessment;
  std::optional<Task> task;  ///< set only if the standing can be judged
};

/// Takes the file as it was checked, the report of check_text or describe_text, and the backend that will
/// judge the task. A file is `unsupported` if no kernel can be called in its place.
ImportedTask import_task(const TaskNames& names, oracle::TaskText file, const CheckReport& report,
                         std::string_view backend);

}  // namespace ridgeline::suites::modules
