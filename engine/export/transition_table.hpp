// Fills the derived table `transitions` with the same edges as the exports, for SQL.
#pragma once

namespace ridgeline::store {
class Reader;
class Writer;
}  // namespace ridgeline::store

namespace ridgeline::exporting {

/// Empties the table and fills it from the journal in one transaction. Returns the number of rows.
int rebuild_transitions(const store::Reader& reader, store::Writer& writer);

}  // namespace ridgeline::exporting
