// Renders feedback items as text, each kind under its heading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/feedback.hpp"
#include "engine/core/task.hpp"
#include "prompts/knowledge_index.hpp"

namespace ridgeline::prompts {

/// Whether `name` is one of the kinds that core's `kind_of` returns.
bool is_feedback_kind(std::string_view name);

/// Returns the heading and the digests of all items of this kind, in their order; "" if none says anything.
/// `knowledge` is the campaign's corpus. If it is null and an item asks for it, throws BadInput.
std::string feedback_text(std::string_view kind, const std::vector<Feedback>& items, const Task& task,
                          const KnowledgeIndex* knowledge = nullptr);

}  // namespace ridgeline::prompts
