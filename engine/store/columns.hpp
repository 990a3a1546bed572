// Column lists, each written once: the order in which inserts bind and reads take them.
#pragma once

namespace ridgeline::store {

inline constexpr const char* campaign_columns =
    "name, config_text, config_hash, plan_hash, prompts_hash, engine_version, created_at, origin";

/// What replay needs of an ask; the rest is `ask_text_columns`.
inline constexpr const char* ask_columns =
    "trajectory, step, slot, round, request_hash, role, critic, model, temperature, change, feedback, "
    "llm_status, "
    "llm_detail, provider_model, model_id, endpoint, finish_reason, input_tokens, output_tokens, "
    "cached_tokens, "
    "reasoning_tokens, cache_write_tokens, usd, unsettled_tokens, unsettled_usd, "
    "seconds, attempts, diverged, status, detail, candidate, parents, started_at, ended_at, response_text";
inline constexpr const char* ask_text_columns = "reasoning, prompt, raw_request, raw_response";

inline constexpr const char* failed_attempt_columns =
    "trajectory, step, slot, number, model, model_id, endpoint, llm_status, detail, input_tokens, "
    "output_tokens, "
    "cached_tokens, reasoning_tokens, cache_write_tokens, usd, unsettled_tokens, unsettled_usd, seconds, at, "
    "raw_response";

inline constexpr const char* effect_event_columns = "trajectory, ordinal, event, step, slot, reason, at";

inline constexpr const char* evaluation_columns =
    "trajectory, step, slot, round, request_hash, candidate, status, seconds, worker, started_at, ended_at";
/// Facts of the verdict that stand beside it for SQL.
inline constexpr const char* evaluation_fact_columns =
    "device, compiled, correct, cheated, faithful_correct, speedup, verdict";

// Each after its `evaluation`.
inline constexpr const char* stage_columns = "ordinal, stage, status, reason, detail, seconds";
inline constexpr const char* timing_columns =
    "ordinal, case_name, cold, cold_low, cold_high, cold_converged, cold_samples, hot, hot_low, hot_high, "
    "hot_converged, hot_samples, baseline, baseline_low, baseline_high, baseline_converged, "
    "baseline_samples, "
    "baseline_drift, claimed, cpu_seconds, slots_verified, speedup, speedup_low, speedup_high, clock_hz, "
    "replayed, replayed_low, replayed_high, replayed_converged, replayed_samples, energy, energy_above_idle";
inline constexpr const char* error_columns = "ordinal, case_name, input_set, output, median, p99, worst";
inline constexpr const char* roofline_columns =
    "ordinal, case_name, bytes, operations, bytes_source, operations_source, seconds, intensity, "
    "roof_seconds, "
    "bandwidth_share, compute_share, efficiency, headroom_seconds, bound, diagnosis";
inline constexpr const char* counter_columns = "roofline, ordinal, name, value, source";

inline constexpr const char* baseline_columns =
    "task, device, kind, case_name, description, median, low, high, converged, samples, measured_at, "
    "mode, eager";

}  // namespace ridgeline::store
