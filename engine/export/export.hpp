// From a store to training data. Lines come in the order of tasks by name, then trajectories, steps and
// slots, and hold nothing of the clock, so that two runs with the same results export the same bytes.
//
// Formats are described in docs/exports.md. Nothing is exported whose figures are in doubt unless asked for.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "engine/export/options.hpp"

namespace ridgeline::store {
class Reader;
}

namespace ridgeline::exporting {

/// Receives each line, without its line end, and the split that its task belongs to.
using LineSink = std::function<void(Split, const std::string& line)>;

/// Throws BadInput if the campaign is not in the store.
ExportReport export_store(const store::Reader& reader, const ExportOptions& options, const LineSink& sink);

/// All lines to one stream; each names its split.
ExportReport export_store(const store::Reader& reader, const ExportOptions& options, std::ostream& out);

/// `train.jsonl`, `validation.jsonl` and `test.jsonl` in `folder`, which is made if missing; each replaced
/// whole or not at all. Throws MachineCannot if they cannot be written.
ExportReport export_to_folder(const store::Reader& reader, const ExportOptions& options,
                              const std::string& folder);

}  // namespace ridgeline::exporting
