// Copies one trajectory's journal to another: the start of a branch (`ridgeline run --fork`).
#pragma once

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// Inside the caller's transaction. Steps below `before_step`; evaluations with all their numbers.
void copy_journal(SQLite::Database& database, Id from, Id to, int before_step);

}  // namespace ridgeline::store
