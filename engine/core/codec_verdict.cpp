#include "engine/core/codec.hpp"
#include "engine/core/json_fields.hpp"

namespace ridgeline {

using nlohmann::json;

RIDGELINE_FIELDS(Candidate, language, source, hash, parents)

// These four are written by hand because their figures may be NaN or infinite, which JSON cannot say: a wrong
// element, an error over zero tolerance, an exact SQNR.
void to_json(json& out, const WrongElement& element) {
  out = json{{"index", element.index},
             {"expected", number_to_json(element.expected)},
             {"got", number_to_json(element.got)}};
}
void from_json(const json& in, WrongElement& element) {
  element.index = read_json(in, "index", std::vector<std::int64_t>{});
  element.expected = number_from_json(in, "expected");
  element.got = number_from_json(in, "got");
}

void to_json(json& out, const Mismatch& mismatch) {
  out = json{{"case_name", mismatch.case_name},
             {"hidden", mismatch.hidden},
             {"input_set", mismatch.input_set},
             {"output", mismatch.output},
             {"shape", mismatch.shape},
             {"elements", mismatch.elements},
             {"wrong", mismatch.wrong},
             {"worst_absolute", number_to_json(mismatch.worst_absolute)},
             {"worst_relative", number_to_json(mismatch.worst_relative)},
             {"tolerance", number_to_json(mismatch.tolerance)},
             {"pattern", mismatch.pattern},
             {"pattern_detail", mismatch.pattern_detail},
             {"first", mismatch.first}};
}
void from_json(const json& in, Mismatch& mismatch) {
  mismatch.case_name = in.value("case_name", "");
  mismatch.hidden = in.value("hidden", false);
  mismatch.input_set = in.value("input_set", InputSet::standard);
  mismatch.output = in.value("output", "");
  mismatch.shape = read_json(in, "shape", std::vector<std::int64_t>{});
  mismatch.elements = read_json(in, "elements", std::int64_t{0});
  mismatch.wrong = read_json(in, "wrong", std::int64_t{0});
  mismatch.worst_absolute = number_from_json(in, "worst_absolute");
  mismatch.worst_relative = number_from_json(in, "worst_relative");
  mismatch.tolerance = number_from_json(in, "tolerance");
  mismatch.pattern = in.value("pattern", Pattern::scattered);
  mismatch.pattern_detail = in.value("pattern_detail", "");
  mismatch.first = in.value("first", std::vector<WrongElement>{});
}

void to_json(json& out, const ErrorQuantiles& errors) {
  out = json{{"case_name", errors.case_name},     {"input_set", errors.input_set},
             {"output", errors.output},           {"median", number_to_json(errors.median)},
             {"p99", number_to_json(errors.p99)}, {"worst", number_to_json(errors.worst)}};
}
void from_json(const json& in, ErrorQuantiles& errors) {
  errors.case_name = in.value("case_name", "");
  errors.input_set = in.value("input_set", InputSet::standard);
  errors.output = in.value("output", "");
  errors.median = number_from_json(in, "median");
  errors.p99 = number_from_json(in, "p99");
  errors.worst = number_from_json(in, "worst");
}

void to_json(json& out, const QuantizationDistance& distance) {
  out =
      json{{"case_name", distance.case_name},           {"output", distance.output},
           {"cosine", number_to_json(distance.cosine)}, {"relative_l1", number_to_json(distance.relative_l1)},
           {"rmse", number_to_json(distance.rmse)},     {"sqnr_db", number_to_json(distance.sqnr_db)}};
}
void from_json(const json& in, QuantizationDistance& distance) {
  distance.case_name = in.value("case_name", "");
  distance.output = in.value("output", "");
  distance.cosine = number_from_json(in, "cosine");
  distance.relative_l1 = number_from_json(in, "relative_l1");
  distance.rmse = number_from_json(in, "rmse");
  distance.sqnr_db = number_from_json(in, "sqnr_db");
}

RIDGELINE_FIELDS(Duration, median, low, high, samples, converged)
RIDGELINE_FIELDS(CaseTiming, case_name, cold, hot, baseline_cold, baseline_drift, claimed, cpu_seconds,
                 slots_verified, speedup, speedup_low, speedup_high, clock_hz, replayed, energy,
                 energy_above_idle)
RIDGELINE_FIELDS(Timing, cases, speedup, speedup_low, speedup_high, baseline)
RIDGELINE_FIELDS(Peak, unit, operations_per_second)
RIDGELINE_FIELDS(MemoryLevel, name, bytes, read, written, both)
RIDGELINE_FIELDS(Ceilings, device, threads, bandwidth, cache_bandwidth, cache_bytes, peaks, levels)
RIDGELINE_FIELDS(Counter, name, value, source)
RIDGELINE_FIELDS(Roofline, case_name, bytes, operations, bytes_source, operations_source, seconds, intensity,
                 roof_seconds, bandwidth_share, compute_share, efficiency, headroom_seconds, bound, counters,
                 diagnosis)
RIDGELINE_FIELDS(KernelResources, kernel, architecture, registers, spill_stores, spill_loads, stack, shared,
                 constant, barriers)
RIDGELINE_FIELDS(KernelLaunch, case_name, kernel, grid, block, registers, shared, local, seconds, dram_bytes,
                 achieved_occupancy, theoretical_occupancy, limit)
RIDGELINE_FIELDS(StageResult, status, reason, detail, seconds)
RIDGELINE_FIELDS(CallFailure, case_name, hidden, input_set, signal, signal_name, place, address, output)
RIDGELINE_FIELDS(Isolated, level, details)
RIDGELINE_FIELDS(StageMemory, stage, judge, oracle, runners, together)

void to_json(json& out, const Verdict& verdict) {
  out = json{{"task", verdict.task},
             {"candidate", verdict.candidate},
             {"build_log", verdict.build_log},
             {"build_flags", verdict.build_flags},
             {"compiler", verdict.compiler},
             {"resources", verdict.resources},
             {"call_failure", verdict.call_failure},
             {"mismatches", verdict.mismatches},
             {"errors", verdict.errors},
             {"quantization", verdict.quantization},
             {"final_failures", verdict.final_failures},
             {"run_to_run_differences", verdict.run_to_run_differences},
             {"timing", verdict.timing},
             {"rooflines", verdict.rooflines},
             {"ceilings", verdict.ceilings},
             {"launches", verdict.launches},
             {"flags", verdict.flags},
             {"notes", verdict.notes},
             {"memory", verdict.memory},
             {"posed", verdict.posed},
             {"cheated", verdict.cheated},
             {"faithful_correct", verdict.faithful_correct},
             {"isolation", verdict.isolation},
             {"device", verdict.device},
             {"seconds", verdict.seconds}};
  auto& stages = out["stages"] = json::object();
  // By name rather than by place: a stage added later must not move the others.
  for (const auto& entry : enum_names(Stage{})) stages[std::string(entry.name)] = verdict.at(entry.value);
}

void from_json(const json& in, Verdict& verdict) {
  in.at("task").get_to(verdict.task);
  in.at("candidate").get_to(verdict.candidate);
  // Verdicts stored by older versions lack newer fields and stay readable; only the identity is required.
  verdict.build_log = in.value("build_log", "");
  verdict.build_flags = in.value("build_flags", std::vector<std::string>{});
  verdict.compiler = in.value("compiler", "");
  verdict.resources = in.value("resources", std::vector<KernelResources>{});
  verdict.call_failure = in.value("call_failure", std::optional<CallFailure>{});
  verdict.mismatches = in.value("mismatches", std::vector<Mismatch>{});
  verdict.errors = in.value("errors", std::vector<ErrorQuantiles>{});
  verdict.quantization = in.value("quantization", std::vector<QuantizationDistance>{});
  verdict.final_failures = in.value("final_failures", std::vector<std::string>{});
  verdict.run_to_run_differences = in.value("run_to_run_differences", false);
  verdict.timing = in.value("timing", std::optional<Timing>{});
  verdict.rooflines = in.value("rooflines", std::vector<Roofline>{});
  verdict.ceilings = in.value("ceilings", std::optional<Ceilings>{});
  verdict.launches = in.value("launches", std::vector<KernelLaunch>{});
  verdict.flags = in.value("flags", std::vector<std::string>{});
  verdict.notes = in.value("notes", std::vector<std::string>{});
  verdict.memory = in.value("memory", std::vector<StageMemory>{});
  verdict.posed = in.value("posed", "");
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
