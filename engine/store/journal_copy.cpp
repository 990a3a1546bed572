#include "engine/store/journal_copy.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include "engine/store/columns.hpp"

namespace ridgeline::store {
namespace {

/// Columns after "trajectory, ", which the copy replaces.
std::string without_trajectory(const std::string& columns) {
  return columns.substr(std::string("trajectory, ").size());
}

void copy_rows(SQLite::Database& database, const std::string& table, const std::string& columns, Id from,
               Id to, CopiedPart part) {
  SQLite::Statement copy(database, "INSERT INTO " + table + " (trajectory, " + columns + ") SELECT ?1, " +
                                       columns + " FROM " + table +
                                       " WHERE trajectory = ?2 AND step < ?3 AND (status <> 'cancelled' OR"
                                       " EXISTS (SELECT 1 FROM effect_events AS e WHERE e.trajectory = ?2"
                                       " AND e.ordinal < ?4 AND e.event = 'cancelled' AND e.step = " +
                                       table + ".step AND e.slot = " + table + ".slot)) ORDER BY id");
  copy.bind(1, to);
  copy.bind(2, from);
  copy.bind(3, part.steps);
  copy.bind(4, part.events);
  copy.exec();
}

void copy_events(SQLite::Database& database, Id from, Id to, int before) {
  const auto columns = without_trajectory(effect_event_columns);
  SQLite::Statement copy(database, "INSERT INTO effect_events (trajectory, " + columns + ") SELECT ?1, " +
                                       columns +
                                       " FROM effect_events WHERE trajectory = ?2 AND ordinal < ?3");
  copy.bind(1, to);
  copy.bind(2, from);
  copy.bind(3, before);
  copy.exec();
}

}  // namespace

void copy_journal(SQLite::Database& database, Id from, Id to, CopiedPart part) {
  copy_rows(database, "asks",
            without_trajectory(ask_columns) + ", " + ask_prompt_columns + ", " + ask_raw_columns, from, to,
            part);
  copy_rows(database, "evaluations", without_trajectory(evaluation_columns) + ", " + verdict_columns, from,
            to, part);
  copy_events(database, from, to, part.events);
}

}  // namespace ridgeline::store
