// Converts the effects of a trajectory into records, hashes them, and converts records back into answers.
// Pure.
#pragma once

#include <vector>

#include "engine/core/effects.hpp"
#include "engine/store/journal.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "llm_clients/client.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::campaign {

/// Makes the record of a model request from what is known before its prompt is rendered.
store::AskRecord draft_ask(store::Id trajectory, int step, int slot, int round, const Ask& ask);

/// Returns the prompt as chat messages: a system message if the template has one, then the user's.
std::vector<llm::Message> messages_of(prompts::RenderedPrompt prompt);
/// Returns the messages as the JSON that is stored and hashed. Its bytes must never change.
std::string prompt_json(const std::vector<llm::Message>& messages);

/// Hashes role, model, temperature and the rendered messages. The address (step, slot) is the journal's key
/// and not hashed.
Hash request_hash_of(const store::AskRecord& record);
/// Hashes task, candidate and the canonical encoding of all settings.
Hash evaluation_hash(const Task& task, const Candidate& candidate,
                     const protocol::EvaluateSettings& settings);

/// Copies the result of a call, with the raw exchange, into the record.
void copy_exchange(store::AskRecord& record, llm::LlmResult result);

/// Makes the answer of a call that failed.
Answer failed_answer(const llm::LlmResult& result);
/// Makes the answer that the journal's entry recorded.
Answer answer_of(const store::AskEntry& entry);

/// Notes in `answer.detail`, which the next prompt shows, that the provider cut the answer off by length.
/// Does nothing for other results.
void note_truncation(Answer& answer, const llm::LlmResult& result);

/// Says why a campaign pauses after a result with the fault `endpoint` or `account`, and how to fix it.
std::string pause_reason(const llm::LlmResult& result, const std::string& model);

/// Makes the record of a failed attempt. `call` gives the address and the model.
store::FailedAttemptRecord failed_attempt_record(const store::AskRecord& call,
                                                 const llm::FailedAttempt& attempt, store::Milliseconds now);

/// Returns the seed sent to providers: the same for the same slot, different between slots, below 2^31 (the
/// smallest range that a provider accepts).
std::uint64_t slot_seed(std::uint64_t trajectory_seed, int step, int slot);

}  // namespace ridgeline::campaign
