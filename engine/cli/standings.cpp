#include "engine/cli/standings.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include "engine/core/error.hpp"

namespace ridgeline::cli {

std::map<store::Id, Standing> standings_of(const store::Reader& reader) {
  std::map<store::Id, Standing> standings;
  try {
    SQLite::Statement rows(reader.database(),
                           "SELECT trajectory, count(*), sum(correct AND NOT cheated), "
                           "max(CASE WHEN correct AND NOT cheated THEN coalesce(speedup, 0) ELSE 0 END) "
                           "FROM evaluations WHERE status = 'evaluated' GROUP BY trajectory");
    while (rows.executeStep())
      standings[rows.getColumn(0).getInt64()] = {rows.getColumn(1).getInt(), rows.getColumn(2).getInt(),
                                                 rows.getColumn(3).getDouble()};
  } catch (const SQLite::Exception& error) {
    throw MachineCannot(std::string("the store cannot be read: ") + error.what());
  }
  return standings;
}

}  // namespace ridgeline::cli
