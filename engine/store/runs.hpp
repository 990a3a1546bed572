// Records runs: when the engine ran a campaign, and how each run ended. A run that was killed recorded no
// end; the time of the last result in the campaign's journal counts as its end.
#pragma once

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// Begins a run and returns its id. If the run before was killed, first records its end, and turns its calls
/// under way into failed attempts. Writes several rows, so the caller must have opened a transaction.
Id begin_run(SQLite::Database& database, Id campaign, Milliseconds now);

/// Records when and how a run ended: `ended_as` is a name of campaign::RunEnd, `reason` says why it paused.
/// Needs no transaction.
void end_run(SQLite::Database& database, Id run, Milliseconds now, const std::string& ended_as,
             const std::string& reason);

/// Returns the seconds of all runs of the campaign together. A run without an end counts up to the
/// campaign's last result.
double wall_seconds(const SQLite::Database& database, Id campaign);

}  // namespace ridgeline::store
