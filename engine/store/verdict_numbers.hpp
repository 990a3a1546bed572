// The rows of a verdict: stages, case timings with raw samples, error quantiles, rooflines, counters.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>

#include "engine/store/records.hpp"

namespace ridgeline::store {

/// Prepared inserts; used on the writer's thread.
class VerdictNumbers {
 public:
  explicit VerdictNumbers(SQLite::Database& database);
  void write(Id evaluation, const Verdict& verdict);

 private:
  void write_stages(Id evaluation, const Verdict& verdict);
  void write_timings(Id evaluation, const Timing& timing);
  void write_errors(Id evaluation, const Verdict& verdict);
  void write_rooflines(Id evaluation, const Verdict& verdict);

  SQLite::Statement stage_, timing_, error_, roofline_, counter_;
};

/// Fills in the rows of a trajectory's verdicts: one query a table. Evaluations missing in `verdicts` are
/// skipped.
void read_numbers(const SQLite::Database& database, Id trajectory, const std::map<Id, Verdict*>& verdicts);

}  // namespace ridgeline::store
