// The derived table `transitions`: the same edges as the exports, for SQL.
#pragma once

namespace ridgeline::store {
class Reader;
class Writer;
}  // namespace ridgeline::store

namespace ridgeline::exporting {

/// Empties and fills it from the journal in one transaction; returns the number of rows.
int rebuild_transitions(const store::Reader& reader, store::Writer& writer);

}  // namespace ridgeline::exporting
