#include "engine/core/codec.hpp"
#include "engine/core/json_fields.hpp"

namespace ridgeline {

using nlohmann::json;

RIDGELINE_FIELDS(Candidate, language, source, hash, parents)
RIDGELINE_FIELDS(WrongElement, index, expected, got)
RIDGELINE_FIELDS(Mismatch, case_name, hidden, input_set, output, shape, elements, wrong, worst_absolute, worst_relative,
                 tolerance, pattern, pattern_detail, first)
RIDGELINE_FIELDS(ErrorQuantiles, case_name, input_set, output, median, p99, worst)
RIDGELINE_FIELDS(QuantizationDistance, case_name, output, cosine, relative_l1, rmse, sqnr_db)
RIDGELINE_FIELDS(Duration, median, low, high, samples, converged)
RIDGELINE_FIELDS(CaseTiming, case_name, cold, hot, baseline_cold, baseline_drift, claimed, cpu_seconds, slots_verified,
                 speedup, speedup_low, speedup_high)
RIDGELINE_FIELDS(Timing, cases, speedup, speedup_low, speedup_high, baseline)
RIDGELINE_FIELDS(Peak, unit, operations_per_second)
RIDGELINE_FIELDS(Ceilings, device, threads, bandwidth, cache_bandwidth, cache_bytes, peaks)
RIDGELINE_FIELDS(Counter, name, value, source)
RIDGELINE_FIELDS(Roofline, case_name, bytes, operations, bytes_source, operations_source, seconds, intensity,
                 roof_seconds, bandwidth_share, compute_share, efficiency, headroom_seconds, bound, counters, diagnosis)
RIDGELINE_FIELDS(StageResult, status, reason, detail, seconds)
RIDGELINE_FIELDS(CallFailure, case_name, hidden, input_set, signal, signal_name, place, address, output)
RIDGELINE_FIELDS(Isolated, level, details)

void to_json(json& out, const Verdict& verdict) {
  out = json{{"task", verdict.task},
             {"candidate", verdict.candidate},
             {"build_log", verdict.build_log},
             {"build_flags", verdict.build_flags},
             {"compiler", verdict.compiler},
             {"call_failure", verdict.call_failure},
             {"mismatches", verdict.mismatches},
             {"errors", verdict.errors},
             {"quantization", verdict.quantization},
             {"final_failures", verdict.final_failures},
             {"run_to_run_differences", verdict.run_to_run_differences},
             {"timing", verdict.timing},
             {"rooflines", verdict.rooflines},
             {"flags", verdict.flags},
             {"cheated", verdict.cheated},
             {"faithful_correct", verdict.faithful_correct},
             {"isolation", verdict.isolation},
             {"device", verdict.device},
             {"seconds", verdict.seconds}};
  auto& stages = out["stages"] = json::object();
  for (const auto& entry : enum_names(Stage{})) stages[std::string(entry.name)] = verdict.at(entry.value);
}

void from_json(const json& in, Verdict& verdict) {
  in.at("task").get_to(verdict.task);
  in.at("candidate").get_to(verdict.candidate);
  verdict.build_log = in.value("build_log", "");
  verdict.build_flags = in.value("build_flags", std::vector<std::string>{});
  verdict.compiler = in.value("compiler", "");
  verdict.call_failure = in.value("call_failure", std::optional<CallFailure>{});
  verdict.mismatches = in.value("mismatches", std::vector<Mismatch>{});
  verdict.errors = in.value("errors", std::vector<ErrorQuantiles>{});
  verdict.quantization = in.value("quantization", std::vector<QuantizationDistance>{});
  verdict.final_failures = in.value("final_failures", std::vector<std::string>{});
  verdict.run_to_run_differences = in.value("run_to_run_differences", false);
  verdict.timing = in.value("timing", std::optional<Timing>{});
  verdict.rooflines = in.value("rooflines", std::vector<Roofline>{});
  verdict.flags = in.value("flags", std::vector<std::string>{});
  verdict.cheated = in.value("cheated", false);
  verdict.faithful_correct = in.value("faithful_correct", false);
  verdict.isolation = in.value("isolation", Isolated{});
  verdict.device = in.value("device", "");
  verdict.seconds = in.value("seconds", 0.0);
  for (const auto& entry : enum_names(Stage{}))
    verdict.at(entry.value) = in.at("stages").at(std::string(entry.name)).get<StageResult>();
}

std::string dump_json(const json& document, int indent) {
  return document.dump(indent, ' ', false, json::error_handler_t::replace);
}

}  // namespace ridgeline
