// The effects of a trajectory as records: what is hashed, what is kept of an exchange, and how a record
// becomes the answer it was. Pure.
#pragma once

#include <vector>

#include "engine/core/effects.hpp"
#include "engine/store/journal.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "llm_clients/client.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::campaign {

/// Everything of an ask that is known before it is rendered.
store::AskRecord draft_ask(store::Id trajectory, int step, int slot, int round, const Ask& ask);

std::vector<llm::Message> messages_of(prompts::RenderedPrompt prompt);
std::string prompt_json(const std::vector<llm::Message>& messages);

/// Over role, model, temperature and the rendered messages. The address is the journal's key and not part of
/// it.
Hash request_hash_of(const store::AskRecord& record);
/// Over task, candidate and everything of the settings that could change the verdict.
Hash evaluation_hash(const Task& task, const Candidate& candidate,
                     const protocol::EvaluateSettings& settings);

/// Copies the exchange into the record.
void keep_exchange(store::AskRecord& record, llm::LlmResult result);

Answer failed_answer(const llm::LlmResult& result);
/// The answer that a record stands for.
Answer answer_of(const store::AskEntry& entry);

/// Throws BadInput where every further call would fail alike: a refused key, a model or address that is not
/// there. Nothing is journaled then, so the campaign goes on once the cause is mended.
void refuse_hopeless(const llm::LlmResult& result, const std::string& model);

}  // namespace ridgeline::campaign
