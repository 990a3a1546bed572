#include "engine/store/runs.hpp"

#include "engine/store/columns.hpp"
#include "engine/store/statement.hpp"

namespace ridgeline::store {
namespace {

/// The last result of campaign ?1, or 0.
const std::string last_result =
    "max(coalesce((SELECT max(ended_at) FROM asks"
    " WHERE trajectory IN (SELECT id FROM trajectories WHERE campaign = ?1)), 0),"
    " coalesce((SELECT max(ended_at) FROM evaluations"
    " WHERE trajectory IN (SELECT id FROM trajectories WHERE campaign = ?1)), 0))";

}  // namespace

Id begin_run(SQLite::Database& database, Id campaign, Milliseconds now) {
  SQLite::Statement killed(database, "UPDATE runs SET ended_at = max(began_at, " + last_result +
                                         ") WHERE campaign = ?1 AND ended_at = 0");
  killed.bind(1, campaign);
  killed.exec();
  // A call that was sent and never settled may have been paid for, so it counts against caps at its worst.
  SQLite::Statement unsettled(database,
                              "INSERT INTO failed_attempts (" + std::string(failed_attempt_columns) +
                                  ") SELECT trajectory, step, slot, 0, model, '', '', 'killed', 'under way "
                                  "when the engine was killed',"
                                  " 0, 0, 0, 0, 0, 0, tokens, usd, 0, started_at, x'' FROM started_calls"
                                  " WHERE trajectory IN (SELECT id FROM trajectories WHERE campaign = ?1)");
  unsettled.bind(1, campaign);
  unsettled.exec();
  SQLite::Statement settled(database,
                            "DELETE FROM started_calls WHERE trajectory IN"
                            " (SELECT id FROM trajectories WHERE campaign = ?1)");
  settled.bind(1, campaign);
  settled.exec();
  SQLite::Statement begun(database, insert_into("runs", "campaign, began_at, ended_at, ended_as, reason"));
  const std::string not_yet;
  write_row(begun, campaign, now, 0, not_yet, not_yet);
  return database.getLastInsertRowid();
}

void end_run(SQLite::Database& database, Id run, Milliseconds now, const std::string& ended_as,
             const std::string& reason) {
  SQLite::Statement ended(
      database, "UPDATE runs SET ended_at = max(began_at, ?), ended_as = ?, reason = ? WHERE id = ?");
  write_row(ended, now, ended_as, reason, run);
}

double wall_seconds(const SQLite::Database& database, Id campaign) {
  SQLite::Statement sum(database,
                        "SELECT coalesce(sum(CASE WHEN ended_at > 0 THEN ended_at - began_at"
                        " ELSE max(0, (SELECT " +
                            last_result + ") - began_at) END), 0) FROM runs WHERE campaign = ?1");
  sum.bind(1, campaign);
  return sum.executeStep() ? sum.getColumn(0).getInt64() * 1e-3 : 0;
}

}  // namespace ridgeline::store
