#include "engine/store/evaluations.hpp"

#include <string>

#include "engine/store/columns.hpp"
#include "engine/store/rows.hpp"

namespace ridgeline::store {

std::vector<EvaluationRecord> load_evaluations(const SQLite::Database& database, Id trajectory) {
  return guarded(database, [&] {
    SQLite::Statement rows(database, std::string("SELECT ") + evaluation_columns + ", " + verdict_columns +
                                         " FROM evaluations WHERE trajectory = ? ORDER BY step, slot");
    rows.bind(1, trajectory);
    std::vector<EvaluationRecord> evaluations;
    while (rows.executeStep()) {
      Columns columns(rows);
      evaluations.push_back(read_evaluation(columns));
    }
    return evaluations;
  });
}

}  // namespace ridgeline::store
