// From a task file and what was found out about it to a task that a campaign may have answered, or to the
// reason why nobody is asked. A decision without I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/task.hpp"
#include "engine/suites/kernelbench/check_file.hpp"

namespace ridgeline::suites::kernelbench {

struct ImportedTask {
  Assessment assessment;
  std::optional<Task> task;  ///< only of a standing that can be judged
};

/// `text` is the file's; `report` what check_file or describe_file said of it; `backend` where the task is to
/// be judged. A file whose description no kernel can be given is `unsupported`.
ImportedTask import_task(const TaskFile& file, std::string text, const CheckReport& report,
                         std::string_view backend);

}  // namespace ridgeline::suites::kernelbench
