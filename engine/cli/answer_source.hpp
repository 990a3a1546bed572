// Reads sources that trainers hand over as the model wrote them: a kernel within code fences, with prose
// around it.
#pragma once

#include <string>

#include "engine/evaluation/door_lines.hpp"

namespace ridgeline::cli {

/// Returns `source` as it is. If it comes in code fences, returns the kernel in them and a note, by the rules
/// by which a campaign reads answers (prompts/answer_reader.hpp). Throws BadInput if the fences hold no
/// kernel.
evaluation::SourceRead kernel_in(const std::string& source, const Task& task, Language language);

}  // namespace ridgeline::cli
