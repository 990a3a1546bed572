// Copies one trajectory's journal to another: the start of a branch (`ridgeline run --fork`).
#pragma once

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// How much of a journal is copied: steps below `steps`, events below `events`.
struct CopiedPart {
  int steps = 0;
  int events = 0;
};

/// Inside the caller's transaction. Evaluations come with their verdicts. The record of a request that was
/// given up comes only with the event that says so: without it the branch may still want the request.
void copy_journal(SQLite::Database& database, Id from, Id to, CopiedPart part);

}  // namespace ridgeline::store
