// Feedback items as text, each kind under its heading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"
#include "prompts/knowledge_index.hpp"

namespace ridgeline::prompts {

/// True for the names that core's `kind_of` gives.
bool is_feedback_kind(std::string_view name);

/// Heading and digest of every item of this kind, in order; "" where there is none or it has nothing to say.
/// `knowledge` is the campaign's corpus, null if it has none: throws BadInput if an item asks for it then.
std::string feedback_text(std::string_view kind, const std::vector<Feedback>& items, const Task& task,
                          const KnowledgeIndex* knowledge = nullptr);

}  // namespace ridgeline::prompts
