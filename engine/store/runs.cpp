#include "engine/store/runs.hpp"

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
  SQLite::Statement begun(database, insert_into("runs", "campaign, began_at, ended_at"));
  write_row(begun, campaign, now, 0);
  return database.getLastInsertRowid();
}

void end_run(SQLite::Database& database, Id run, Milliseconds now) {
  SQLite::Statement ended(database, "UPDATE runs SET ended_at = max(began_at, ?) WHERE id = ?");
  write_row(ended, now, run);
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
