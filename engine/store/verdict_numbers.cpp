// Structs are taken apart by structured bindings on purpose: a field added to one of them stops the build
// here until a migration has given it a column.
#include "engine/store/verdict_numbers.hpp"

#include <functional>
#include <string>

#include "engine/store/columns.hpp"
#include "engine/store/statement.hpp"

namespace ridgeline::store {
namespace {

std::string insert_of(const char* table, const char* columns) {
  return insert_into(table, std::string("evaluation, ") + columns);
}

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
  CaseTiming one;
  one.case_name = c.text();
  one.cold = read_duration(c);
  one.hot = read_duration(c);
  one.baseline_cold = read_duration(c);
  one.baseline_drift = c.real();
  one.claimed = c.real();
  one.cpu_seconds = c.real();
  one.slots_verified = c.integer();
  one.speedup = c.real();
  one.speedup_low = c.real();
  one.speedup_high = c.real();
  one.clock_hz = c.real();
  one.replayed = read_duration(c);
  one.energy = c.real();
  one.energy_above_idle = c.real();
  if (verdict.timing) verdict.timing->cases.push_back(std::move(one));
}

void read_error(Columns& c, Verdict& verdict) {
  c.skip();
  ErrorQuantiles one;
  one.case_name = c.text();
  one.input_set = c.name<InputSet>();
  one.output = c.text();
  one.median = c.real();
  one.p99 = c.real();
  one.worst = c.real();
  verdict.errors.push_back(std::move(one));
}

void read_roofline(Columns& c, Verdict& verdict) {
  c.skip();
  Roofline one;
  one.case_name = c.text();
  one.bytes = c.real();
  one.operations = c.real();
  one.bytes_source = c.name<Source>();
  one.operations_source = c.name<Source>();
  one.seconds = c.real();
  one.intensity = c.real();
  one.roof_seconds = c.real();
  one.bandwidth_share = c.real();
  one.compute_share = c.real();
  one.efficiency = c.real();
  one.headroom_seconds = c.real();
  one.bound = c.name<Bound>();
  one.diagnosis = c.text();
  verdict.rooflines.push_back(std::move(one));
}

void read_counter(Columns& c, Verdict& verdict) {
  const auto roofline = static_cast<std::size_t>(c.number());
  c.skip();
  Counter one;
  one.name = c.text();
  one.value = c.real();
  one.source = c.name<Source>();
  if (roofline < verdict.rooflines.size()) verdict.rooflines[roofline].counters.push_back(std::move(one));
}

}  // namespace

VerdictNumbers::VerdictNumbers(SQLite::Database& database)
    : stage_(database, insert_of("stage_results", stage_columns)),
      timing_(database, insert_of("timings", timing_columns)),
      error_(database, insert_of("error_quantiles", error_columns)),
      roofline_(database, insert_of("rooflines", roofline_columns)),
      counter_(database, insert_of("counters", counter_columns)) {}

void VerdictNumbers::write(Id evaluation, const Verdict& verdict) {
  write_stages(evaluation, verdict);
  if (verdict.timing) write_timings(evaluation, *verdict.timing);
  write_errors(evaluation, verdict);
  write_rooflines(evaluation, verdict);
}

void VerdictNumbers::write_stages(Id evaluation, const Verdict& verdict) {
  int ordinal = 0;
  for (const auto& name : enum_names(Stage{})) {
    const auto& [status, reason, detail, seconds] = verdict.at(name.value);
    const bool nothing =
        status == Status::not_reached && reason == Reason::none && detail.empty() && seconds == 0;
    if (!nothing) write_row(stage_, evaluation, ordinal, name.value, status, reason, detail, seconds);
    ++ordinal;
  }
}

void VerdictNumbers::write_timings(Id evaluation, const Timing& timing) {
  int ordinal = 0;
  for (const auto& one : timing.cases) {
    const auto& [case_name, cold, hot, baseline, drift, claimed, cpu_seconds, slots, speedup, low, high,
                 clock, replayed, energy, above_idle] = one;
    const auto& [cold_at, cold_low, cold_high, cold_samples, cold_converged] = cold;
    const auto& [hot_at, hot_low, hot_high, hot_samples, hot_converged] = hot;
    const auto& [base_at, base_low, base_high, base_samples, base_converged] = baseline;
    const auto& [replay_at, replay_low, replay_high, replay_samples, replay_converged] = replayed;
    write_row(timing_, evaluation, ordinal++, case_name, cold_at, cold_low, cold_high, cold_converged,
              cold_samples, hot_at, hot_low, hot_high, hot_converged, hot_samples, base_at, base_low,
              base_high, base_converged, base_samples, drift, claimed, cpu_seconds, slots, speedup, low, high,
              clock, replay_at, replay_low, replay_high, replay_converged, replay_samples, energy,
              above_idle);
  }
}

void VerdictNumbers::write_errors(Id evaluation, const Verdict& verdict) {
  int ordinal = 0;
  for (const auto& [case_name, input_set, output, median, p99, worst] : verdict.errors)
    write_row(error_, evaluation, ordinal++, case_name, input_set, output, median, p99, worst);
}

void VerdictNumbers::write_rooflines(Id evaluation, const Verdict& verdict) {
  int roofline = 0;
  for (const auto& one : verdict.rooflines) {
    const auto& [case_name, bytes, operations, bytes_source, operations_source, seconds, intensity,
                 roof_seconds, bandwidth_share, compute_share, efficiency, headroom, bound, counters,
                 diagnosis] = one;
    write_row(roofline_, evaluation, roofline, case_name, bytes, operations, bytes_source, operations_source,
              seconds, intensity, roof_seconds, bandwidth_share, compute_share, efficiency, headroom, bound,
              diagnosis);
    int ordinal = 0;
    for (const auto& [name, value, source] : counters)
      write_row(counter_, evaluation, roofline, ordinal++, name, value, source);
    ++roofline;
  }
}

void read_numbers(const SQLite::Database& database, Id trajectory, const std::map<Id, Verdict*>& verdicts) {
  const auto read = [&](const std::string& table, const std::string& columns,
                        void (*into)(Columns&, Verdict&)) {
    SQLite::Statement rows(database,
                           "SELECT evaluation, " + columns + " FROM " + table +
                               " WHERE evaluation IN (SELECT id FROM evaluations WHERE trajectory = ?)"
                               " ORDER BY evaluation, ordinal");
    rows.bind(1, trajectory);
    while (rows.executeStep()) {
      Columns of_row(rows);
      const auto found = verdicts.find(of_row.number());
      if (found != verdicts.end()) into(of_row, *found->second);
    }
  };
  read("stage_results", stage_columns, read_stage);
  read("timings", timing_columns, read_timing);
  read("error_quantiles", error_columns, read_error);
  read("rooflines", roofline_columns, read_roofline);  // before their counters
  read("counters", counter_columns, read_counter);
}

}  // namespace ridgeline::store
