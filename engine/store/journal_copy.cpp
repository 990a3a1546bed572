#include "engine/store/journal_copy.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <string>
#include <utility>

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

/// Column names of the numbers' tables also occur in `evaluations`: each is said to be of `table`.
std::string of(const std::string& table, const std::string& columns) {
  std::string qualified = table + ".";
  for (const char c : columns) {
    qualified += c;
    if (c == ' ') qualified += table + ".";
  }
  return qualified;
}

/// Rows that hang on an evaluation follow it to the copy at the same address.
void copy_numbers(SQLite::Database& database, const std::string& table, const std::string& columns, Id from,
                  Id to) {
  SQLite::Statement copy(
      database,
      "INSERT INTO " + table + " (evaluation, " + columns + ") SELECT copied.id, " + of(table, columns) +
          " FROM " + table + " JOIN evaluations AS original ON original.id = " + table +
          ".evaluation JOIN evaluations AS copied ON copied.trajectory = ?1 AND copied.step = original.step"
          " AND copied.slot = original.slot WHERE original.trajectory = ?2");
  copy.bind(1, to);
  copy.bind(2, from);
  copy.exec();
}

}  // namespace

void copy_journal(SQLite::Database& database, Id from, Id to, CopiedPart part) {
  copy_rows(database, "asks", without_trajectory(ask_columns) + ", " + ask_text_columns, from, to, part);
  copy_rows(database, "evaluations", without_trajectory(evaluation_columns) + ", " + evaluation_fact_columns,
            from, to, part);
  copy_events(database, from, to, part.events);
  const std::array<std::pair<const char*, const char*>, 5> numbers{{{"stage_results", stage_columns},
                                                                    {"timings", timing_columns},
                                                                    {"error_quantiles", error_columns},
                                                                    {"rooflines", roofline_columns},
                                                                    {"counters", counter_columns}}};
  for (const auto& [table, columns] : numbers) copy_numbers(database, table, columns, from, to);
}

}  // namespace ridgeline::store
