// The columns of each format.
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"
#include "engine/export/schema.hpp"
#include "engine/export/worth.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

constexpr auto text_type = "string", truth_type = "bool", integer_type = "int64", number_type = "float64";

json columns(const char* type, std::initializer_list<const char*> names) {
  json schema = json::object();
  for (const auto* name : names) schema[name] = type;
  return schema;
}

/// The columns of all, those of a later one over an earlier's.
json together(std::initializer_list<json> parts) {
  json schema = json::object();
  for (const auto& part : parts) schema.update(part);
  return schema;
}

json list_of(const json& type) {
  return json::array({type});
}

json of_messages() {
  return list_of({{"role", text_type}, {"content", text_type}});
}
json of_turn() {
  return {{"from", text_type}, {"value", text_type}};
}
json of_origin() {
  return columns(text_type, {"task", "category", "language", "campaign", "strategy", "model", "split"});
}
json of_address() {
  return columns(integer_type, {"trajectory", "step", "slot", "round"});
}
json of_ratio() {
  return columns(number_type, {"ratio", "ratio_low", "ratio_high"});
}
json of_facts() {
  return together({columns(text_type, {"kind", "from_stage", "to_stage", "flags"}),
                   of_ratio(),
                   {{"complete", truth_type}}});
}

json of_answers() {
  return together({of_origin(),
                   of_address(),
                   of_facts(),
                   schema_of_worth(),
                   {{"turns", integer_type}, {"speedup", number_type}, {"device", text_type}}});
}

json of_pairs() {
  return together({of_origin(), of_ratio(), columns(number_type, {"chosen_speedup", "rejected_speedup"}),
                   columns(text_type, {"kind", "flags", "chosen_outcome", "rejected_outcome", "device"})});
}

json of_labels() {
  return together({of_origin(),
                   of_address(),
                   of_facts(),
                   schema_of_worth(),
                   columns(number_type, {"speedup", "reward"}),
                   {{"device", text_type}}});
}

json of_prompts() {
  return together({columns(text_type, {"task", "category", "language", "split", "turn"}),
                   columns(integer_type, {"answered", "correct"}),
                   columns(number_type, {"best_speedup", "best_reward", "mean_reward"})});
}

json sharegpt_with(const json& more) {
  return together({{{"conversations", list_of(of_turn())}, {"system", text_type}}, more});
}

json of_verl() {
  const json lists = {{"answers", list_of(text_type)},
                      {"outcomes", list_of(text_type)},
                      {"rewards", list_of(number_type)},
                      {"speedups", list_of(number_type)}};
  return {{"data_source", text_type},
          {"prompt", of_messages()},
          {"ability", text_type},
          {"reward_model", {{"style", text_type}, {"ground_truth", text_type}}},
          {"extra_info", together({of_prompts(), lists, {{"index", integer_type}}})}};
}

json of_kbx() {
  const json side =
      together({columns(truth_type, {"call_ok", "exe_ok", "perf_ok"}), columns(text_type, {"dtype", "error"}),
                columns("float64?", {"runtime_ms", "gbs", "tflops", "speedup", "maintainability"})});
  const json memory =
      together({columns(text_type, {"temp_strategy", "perf_strategy", "reflection"}),
                {{"reflection_texts", list_of(text_type)}, {"memory_source_round", integer_type}},
                columns(truth_type, {"pass_call", "pass_exe", "pass_perf"})});
  return together(
      {of_origin(),
       of_address(),
       of_facts(),
       schema_of_worth(),
       columns(text_type, {"task_id", "transition", "transition_kind", "kind", "before_code", "after_code",
                           "unified_diff", "notes"}),
       columns(integer_type, {"from_round", "to_round"}),
       columns(truth_type, {"before_code_present", "after_code_present"}),
       {{"before", side},
        {"after", side},
        {"diff_stats", together({columns(integer_type, {"lines_a", "lines_b", "opcodes_len"}),
                                 {{"similarity_ratio", number_type}}})},
        {"llm_fields", {{"memory_after_round_from", memory}, {"memory_after_next_round_from", memory}}}}});
}

json of_kbx_strict() {
  const json side = together({columns(truth_type, {"call_ok", "exe_ok", "perf_ok"}),
                              columns(text_type, {"dtype", "error", "maintainability"}),
                              columns("float64?", {"runtime_ms", "gbs", "tflops", "speedup"})});
  const json memory =
      together({columns("string?", {"temp_strategy", "perf_strategy", "reflection"}),
                columns("bool?", {"pass_call", "pass_exe", "pass_perf"}),
                {{"reflection_texts", list_of(text_type)}, {"memory_source_round", "string?"}}});
  return together(
      {columns(text_type, {"task_id", "transition", "from_round", "to_round", "kind", "before_code",
                           "after_code", "unified_diff", "notes"}),
       columns(truth_type, {"before_code_present", "after_code_present"}),
       {{"before", side},
        {"after", side},
        {"diff_stats", together({columns(integer_type, {"lines_a", "lines_b", "opcodes_len"}),
                                 {{"similarity_ratio", number_type}}})},
        {"llm_fields", {{"memory_after_round_from", memory}, {"memory_after_next_round_from", memory}}}}});
}

json of_atif() {
  const json metrics =
      together({columns(integer_type, {"prompt_tokens", "completion_tokens", "cached_tokens"}),
                {{"cost_usd", number_type}}});
  const json extra = together({columns(text_type, {"role", "candidate", "outcome", "flags"}),
                               columns(number_type, {"speedup", "reward"}),
                               {{"critic", truth_type}, {"round", integer_type}}});
  const json step = together({columns(text_type, {"source", "message"}),
                              columns("string?", {"model_name", "reasoning_content"}),
                              {{"step_id", integer_type},
                               {"is_copied_context", truth_type},
                               {"metrics", metrics},
                               {"observation", {{"results", list_of({{"content", text_type}})}}},
                               {"extra", extra}}});
  const json totals = together({columns(integer_type, {"total_prompt_tokens", "total_completion_tokens",
                                                       "total_cached_tokens", "total_steps"}),
                                {{"total_cost_usd", number_type}}});
  return together({columns(text_type, {"schema_version", "session_id"}),
                   {{"agent", columns(text_type, {"name", "version", "model_name"})},
                    {"steps", list_of(step)},
                    {"final_metrics", totals},
                    {"extra", of_origin()}}});
}

/// A verdict in which no list is empty and nothing is missing, for its types.
Verdict full_verdict() {
  Verdict verdict;
  const Duration duration{.samples = {1}};
  verdict.build_flags = verdict.final_failures = verdict.flags = verdict.notes = {"a"};
  verdict.resources.emplace_back();
  verdict.call_failure.emplace();
  Mismatch mismatch;
  mismatch.shape = {1};
  mismatch.first = {{.index = {0}}};
  verdict.mismatches = {mismatch};
  verdict.errors.emplace_back();
  verdict.quantization.emplace_back();
  CaseTiming timed;
  timed.cold = timed.hot = timed.baseline_cold = timed.replayed = duration;
  verdict.timing.emplace();
  verdict.timing->cases = {timed};
  Roofline placed;
  placed.counters.emplace_back();
  verdict.rooflines = {placed};
  verdict.ceilings.emplace();
  verdict.ceilings->peaks.emplace_back();
  verdict.ceilings->levels.emplace_back();
  verdict.launches.emplace_back();
  verdict.memory.emplace_back();
  return verdict;
}

/// Makes every number_type of a schema one that may be null: a figure that is not finite is.
json with_nullable_numbers(json schema) {
  if (schema == number_type) return "float64?";
  if (schema.is_structured())
    for (auto& part : schema) part = with_nullable_numbers(part);
  return schema;
}

json of_attempts() {
  const json ask =
      together({columns(text_type, {"role", "model", "entry", "endpoint", "provider_model", "response",
                                    "reasoning", "finish_reason", "status", "detail", "llm_status"}),
                columns("string?", {"change"}),
                columns(truth_type, {"critic", "diverged"}),
                columns(integer_type, {"input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens"}),
                {{"temperature", "float64?"},
                 {"usd", number_type},
                 {"prompt", of_messages()},
                 {"feedback", list_of({{"kind", text_type}, {"about", text_type}})}}});
  const json candidate =
      together({columns(text_type, {"hash", "language", "source"}), {{"parents", list_of(text_type)}}});
  return together({of_origin(),
                   of_address(),
                   columns(text_type, {"schema", "task_hash", "seed"}),
                   {{"cancelled", "string?"},
                    {"ask", ask},
                    {"candidate", candidate},
                    {"verdict", with_nullable_numbers(schema_of_sample(full_verdict()))},
                    {"judged", truth_type},
                    {"correct", "bool?"},
                    {"speedup", "float64?"},
                    {"transition", of_facts()}}});
}

}  // namespace

json schema_of(const ExportOptions& options) {
  switch (options.format) {
    case Format::trl_sft:
      return together({of_answers(), {{"prompt", of_messages()}, {"completion", of_messages()}}});
    case Format::trl_messages:
      return together({of_answers(), {{"messages", of_messages()}}});
    case Format::trl_dpo:
      return together(
          {of_pairs(), {{"prompt", of_messages()}, {"chosen", of_messages()}, {"rejected", of_messages()}}});
    case Format::trl_kto:
      return together(
          {of_labels(), {{"prompt", of_messages()}, {"completion", of_messages()}, {"label", truth_type}}});
    case Format::trl_grpo:
      return together({of_prompts(), {{"prompt", of_messages()}}});
    case Format::openai_sft:
      return {{"messages", of_messages()}};
    case Format::openai_dpo:
      return {{"input", {{"messages", of_messages()}}},
              {"preferred_output", of_messages()},
              {"non_preferred_output", of_messages()}};
    case Format::sharegpt:
      return sharegpt_with(of_answers());
    case Format::sharegpt_dpo:
      return sharegpt_with(together({of_pairs(), {{"chosen", of_turn()}, {"rejected", of_turn()}}}));
    case Format::sharegpt_kto:
      return sharegpt_with(together({of_labels(), {{"kto_tag", truth_type}}}));
    case Format::verl:
      return of_verl();
    case Format::atif:
      return of_atif();
    case Format::kbx:
      return options.strict ? of_kbx_strict() : of_kbx();
    case Format::kbx_predictions:
      return columns(text_type, {"predict", "file"});
    case Format::jsonl:
      return of_attempts();
  }
  return json::object();
}

}  // namespace ridgeline::exporting
