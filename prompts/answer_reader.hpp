// Reads a model's answer: gives the candidate in it, or the reason why there is none.
#pragma once

#include <string_view>

#include "engine/core/effects.hpp"

namespace ridgeline::prompts {

/// Reads an answer as models really give them. No content makes it throw.
///
/// Reasoning between tags is removed first. A critic's answer is prose. Otherwise, in this order:
/// 1. a block that defines the entry point: the last complete one, or an unfinished one whose brackets are
/// all
///    closed; earlier blocks go before it if they hold the headers and it does not;
/// 2. edits of `ask.change` (search-and-replace, or a unified diff) that stand after any such block;
/// 3. a block that looks like a whole file: the build says what is wrong with it;
/// 4. a JSON object with the code in it; code without a fence;
/// 5. a complete block that defines the entry point inside reasoning that was never closed.
/// The candidate's parents are the hashes of `ask.change` and of every other candidate whose source stood in
/// the prompt.
Answer read_answer(std::string_view text, const Ask& ask, const Brief& brief);

}  // namespace ridgeline::prompts
