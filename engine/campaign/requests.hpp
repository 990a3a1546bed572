// The effects of a trajectory as records: what is hashed, what is kept of an exchange, and how a record
// becomes the answer it was. Pure.
#pragma once

#include <vector>

#include "engine/campaign/budget.hpp"
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
/// Over task, candidate and the canonical encoding of all settings.
Hash evaluation_hash(const Task& task, const Candidate& candidate,
                     const protocol::EvaluateSettings& settings);

/// Copies the exchange into the record.
void keep_exchange(store::AskRecord& record, llm::LlmResult result);

Answer failed_answer(const llm::LlmResult& result);
/// The answer that a record stands for.
Answer answer_of(const store::AskEntry& entry);

/// Where the provider cut the answer off by length, says so in `answer.detail`, which the next prompt shows.
void say_if_cut_off(Answer& answer, const llm::LlmResult& result);

/// Why a campaign pauses after a result with the fault `endpoint` or `account`, and the fix.
std::string pause_reason(const llm::LlmResult& result, const std::string& model);

/// Makes the record of a failed attempt. `call` gives the address and the model.
store::FailedAttemptRecord failed_attempt_record(const store::AskRecord& call,
                                                 const llm::FailedAttempt& attempt, store::Milliseconds now);

/// The amount that is reserved before `request` goes to the model of `entry`: at the price that will be paid,
/// which is half where it goes in a batch.
llm::Cost reservation_of(const llm::Model& entry, const llm::LlmRequest& request);

/// The amount that counts against caps: the reported usage and the bound of what may have been taken beyond
/// it.
llm::Cost cost_of(const llm::Usage& usage, double usd, const llm::Cost& unsettled);
Spending spending_of(const store::AskRecord& record);

/// A seed for providers: the same for the same slot, different between slots, below 2^31 (the least that a
/// provider takes).
std::uint64_t slot_seed(std::uint64_t trajectory_seed, int step, int slot);

}  // namespace ridgeline::campaign
