// Shows the file of the knowledge folder that is nearest to a candidate's source or to the task.
#pragma once

#include <string>

#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"
#include "prompts/knowledge_index.hpp"

namespace ridgeline::prompts {

/// Returns "" if no file shares a word with the query. The task's query is its name, description, formula and
/// reference. Keeps within `tokens` by leaving out whole lines at the end of the file.
std::string knowledge_digest(const KnowledgeFeedback& item, const Task& task, const KnowledgeIndex& knowledge,
                             int tokens);

}  // namespace ridgeline::prompts
