// Sources that trainers hand over as the model wrote them: a kernel within code fences, with prose around it.
#pragma once

#include <string>

#include "engine/evaluation/door_lines.hpp"

namespace ridgeline::cli {

/// The source as it is, or, where it comes fenced, the kernel in it, by the rules by which a campaign reads
/// answers (prompts/answer_reader.hpp). Throws BadInput where fences hold no kernel.
evaluation::SourceRead kernel_in(const std::string& source, const Task& task, Language language);

}  // namespace ridgeline::cli
