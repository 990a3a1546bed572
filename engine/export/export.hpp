// Exports a store as training data. Lines come in the order of task names, then trajectories, steps and
// slots, and contain no times of day, so two runs with the same results export the same bytes.
//
// files.hpp writes files. docs/exports.md describes the formats. Flagged results are left out unless asked
// for.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "engine/export/options.hpp"

namespace ridgeline::store {
class Reader;
}

namespace ridgeline::exporting {

/// Receives each line, without its line end, and the split of its task.
using LineSink = std::function<void(Split, const std::string& line)>;

/// Exports to a sink, on the calling thread; another thread reads a task ahead from `reader`, which nobody
/// else may use meanwhile. Throws BadInput if the campaign is not in the store.
ExportReport export_store(const store::Reader& reader, const ExportOptions& options, const LineSink& sink);

/// Exports all lines to one stream; each line names its split. Throws MachineCannot if writing fails.
ExportReport export_store(const store::Reader& reader, const ExportOptions& options, std::ostream& out);

}  // namespace ridgeline::exporting
