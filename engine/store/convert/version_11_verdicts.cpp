#include "engine/store/convert/version_11_verdicts.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/codec.hpp"
#include "engine/store/statement.hpp"

namespace ridgeline::store {
namespace {

// The columns of the five tables, each after its `evaluation`.
constexpr const char* stage_columns = "ordinal, stage, status, reason, detail, seconds";
constexpr const char* timing_columns =
    "ordinal, case_name, cold, cold_low, cold_high, cold_converged, cold_samples, hot, hot_low, hot_high, "
    "hot_converged, hot_samples, baseline, baseline_low, baseline_high, baseline_converged, "
    "baseline_samples, "
    "baseline_drift, claimed, cpu_seconds, slots_verified, speedup, speedup_low, speedup_high, clock_hz, "
    "replayed, replayed_low, replayed_high, replayed_converged, replayed_samples, energy, energy_above_idle";
constexpr const char* error_columns = "ordinal, case_name, input_set, output, median, p99, worst";
constexpr const char* roofline_columns =
    "ordinal, case_name, bytes, operations, bytes_source, operations_source, seconds, intensity, "
    "roof_seconds, "
    "bandwidth_share, compute_share, efficiency, headroom_seconds, bound, diagnosis";
constexpr const char* counter_columns = "roofline, ordinal, name, value, source";

Duration read_duration(Columns& c) {
  Duration d;
  d.median = c.real();
  d.low = c.real();
  d.high = c.real();
  d.converged = c.truth();
  d.samples = c.doubles();
  return d;
}

void read_stage(Columns& c, Verdict& verdict) {
  c.skip();
  auto& stage = verdict.at(c.name<Stage>());
  stage.status = c.name<Status>();
  stage.reason = c.name<Reason>();
  stage.detail = c.text();
  stage.seconds = c.real();
}

void read_timing(Columns& c, Verdict& verdict) {
  c.skip();
  CaseTiming timed;
  timed.case_name = c.text();
  timed.cold = read_duration(c);
  timed.hot = read_duration(c);
  timed.baseline_cold = read_duration(c);
  timed.baseline_drift = c.real();
  timed.claimed = c.real();
  timed.cpu_seconds = c.real();
  timed.slots_verified = c.integer();
  timed.speedup = c.real();
  timed.speedup_low = c.real();
  timed.speedup_high = c.real();
  timed.clock_hz = c.real();
  timed.replayed = read_duration(c);
  timed.energy = c.real();
  timed.energy_above_idle = c.real();
  if (verdict.timing) verdict.timing->cases.push_back(std::move(timed));
}

void read_error(Columns& c, Verdict& verdict) {
  c.skip();
  ErrorQuantiles error;
  error.case_name = c.text();
  error.input_set = c.name<InputSet>();
  error.output = c.text();
  error.median = c.real();
  error.p99 = c.real();
  error.worst = c.real();
  verdict.errors.push_back(std::move(error));
}

void read_roofline(Columns& c, Verdict& verdict) {
  c.skip();
  Roofline roofline;
  roofline.case_name = c.text();
  roofline.bytes = c.real();
  roofline.operations = c.real();
  roofline.bytes_source = c.name<Source>();
  roofline.operations_source = c.name<Source>();
  roofline.seconds = c.real();
  roofline.intensity = c.real();
  roofline.roof_seconds = c.real();
  roofline.bandwidth_share = c.real();
  roofline.compute_share = c.real();
  roofline.efficiency = c.real();
  roofline.headroom_seconds = c.real();
  roofline.bound = c.name<Bound>();
  roofline.diagnosis = c.text();
  verdict.rooflines.push_back(std::move(roofline));
}

void read_counter(Columns& c, Verdict& verdict) {
  const auto roofline = static_cast<std::size_t>(c.number());
  c.skip();
  Counter counter;
  counter.name = c.text();
  counter.value = c.real();
  counter.source = c.name<Source>();
  if (roofline < verdict.rooflines.size()) verdict.rooflines[roofline].counters.push_back(std::move(counter));
}

}  // namespace

Verdict version_11_document(const std::string& document) {
  static const nlohmann::json no_stages = nlohmann::json(Verdict{}).at("stages");
  auto parsed = nlohmann::json::parse(document);
  parsed["stages"] = no_stages;  // the codec asks for them
  return parsed.get<Verdict>();
}

void read_version_11_rows(const SQLite::Database& database, Id trajectory,
                          const std::map<Id, Verdict*>& verdicts) {
  const auto read = [&](const std::string& table, const std::string& columns,
                        void (*into)(Columns&, Verdict&)) {
    SQLite::Statement rows(
        database, "SELECT evaluation, " + columns + " FROM version_11." + table +
                      " WHERE evaluation IN (SELECT id FROM version_11.evaluations WHERE trajectory = ?)"
                      " ORDER BY evaluation, ordinal");
    rows.bind(1, trajectory);
    while (rows.executeStep()) {
      Columns row(rows);
      const auto verdict = verdicts.find(row.number());
      if (verdict != verdicts.end()) into(row, *verdict->second);
    }
  };
  read("stage_results", stage_columns, read_stage);
  read("timings", timing_columns, read_timing);
  read("error_quantiles", error_columns, read_error);
  read("rooflines", roofline_columns, read_roofline);  // before their counters
  read("counters", counter_columns, read_counter);
}

}  // namespace ridgeline::store
