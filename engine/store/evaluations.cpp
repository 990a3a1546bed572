#include "engine/store/evaluations.hpp"

#include <map>
#include <string>

#include "engine/store/columns.hpp"
#include "engine/store/rows.hpp"
#include "engine/store/verdict_numbers.hpp"

namespace ridgeline::store {
namespace {

std::vector<EvaluationRecord> load(const SQLite::Database& database, Id trajectory) {
  std::vector<EvaluationRecord> evaluations;
  std::vector<Id> ids;
  SQLite::Statement rows(database, std::string("SELECT id, ") + evaluation_columns +
                                       ", verdict FROM evaluations WHERE trajectory = ? ORDER BY step, slot");
  rows.bind(1, trajectory);
  while (rows.executeStep()) {
    Columns columns(rows);
    ids.push_back(columns.number());
    evaluations.push_back(read_evaluation(columns));
  }
  std::map<Id, Verdict*> verdicts;
  for (std::size_t i = 0; i < ids.size(); ++i) verdicts.emplace(ids[i], &evaluations[i].verdict);
  read_numbers(database, trajectory, verdicts);
  return evaluations;
}

}  // namespace

std::vector<EvaluationRecord> load_evaluations(const SQLite::Database& database, Id trajectory) {
  return guarded(database, [&] { return load(database, trajectory); });
}

}  // namespace ridgeline::store
