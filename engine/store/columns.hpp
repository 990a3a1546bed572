// Lists the columns of each table once, so that inserts bind values in the order in which selects read them.
// inserts.cpp writes the rows; rows.cpp and reader.cpp read them. schema/tables.sql defines the columns.
#pragma once

namespace ridgeline::store {

inline constexpr const char* campaign_columns =
    "name, config_text, config_hash, plan_hash, prompts_hash, engine_version, created_at, origin";

/// A replay reads these columns of `asks` alone. The other columns hold long texts, which are read on demand
/// (AskTexts).
inline constexpr const char* ask_columns =
    "trajectory, step, slot, round, request_hash, role, critic, model, temperature, change, feedback, "
    "llm_status, "
    "llm_detail, provider_model, model_id, endpoint, finish_reason, input_tokens, output_tokens, "
    "cached_tokens, "
    "reasoning_tokens, cache_write_tokens, usd, unsettled_tokens, unsettled_usd, "
    "seconds, attempts, diverged, status, detail, candidate, parents, started_at, ended_at, response_text";
inline constexpr const char* ask_prompt_columns = "reasoning, prompt";
inline constexpr const char* ask_raw_columns = "raw_request, raw_response";

inline constexpr const char* failed_attempt_columns =
    "trajectory, step, slot, number, model, model_id, endpoint, llm_status, detail, input_tokens, "
    "output_tokens, "
    "cached_tokens, reasoning_tokens, cache_write_tokens, usd, unsettled_tokens, unsettled_usd, seconds, at, "
    "raw_response";

inline constexpr const char* effect_event_columns = "trajectory, ordinal, event, step, slot, reason, at";

inline constexpr const char* evaluation_columns =
    "trajectory, step, slot, round, request_hash, candidate, status, seconds, worker, started_at, ended_at";
/// Verdict and samples are NULL where nothing was evaluated. SQL computes the other columns of `evaluations`,
/// such as `speedup`, from the verdict (schema/tables.sql).
inline constexpr const char* verdict_columns = "verdict, samples";

inline constexpr const char* baseline_columns =
    "task, device, kind, case_name, description, median, low, high, converged, samples, measured_at, "
    "mode, eager";

}  // namespace ridgeline::store
