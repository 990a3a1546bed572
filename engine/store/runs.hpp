// When the engine ran a campaign. A run that was killed ended, for all that is known, with the last result in
// its journal.
#pragma once

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// Ends the run before, if it was killed (its calls under way become failed attempts), and begins another.
/// Inside the caller's transaction.
Id begin_run(SQLite::Database& database, Id campaign, Milliseconds now);

void end_run(SQLite::Database& database, Id run, Milliseconds now, const std::string& ended_as,
             const std::string& reason);

/// Seconds of all runs together; one that has not ended counts up to its last result.
double wall_seconds(const SQLite::Database& database, Id campaign);

}  // namespace ridgeline::store
