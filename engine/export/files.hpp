// Exports to files: one file, or a folder that `datasets` loads as a data set. A file is replaced completely
// or not at all, a folder file by file.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "engine/export/export.hpp"

namespace ridgeline::exporting {

enum class FileKind {
  jsonl,   ///< a JSON object a line
  json,    ///< an array of them
  parquet  ///< by the user's Python (parquet.hpp)
};
constexpr auto enum_names(FileKind) {
  return std::to_array<Name<FileKind>>(
      {{FileKind::jsonl, "jsonl"}, {FileKind::json, "json"}, {FileKind::parquet, "parquet"}});
}

/// Returns the kind that the path's ending names; nullopt for a folder. Throws BadInput for the ending of
/// another kind of file, as ".csv" or ".jsonl.gz".
std::optional<FileKind> file_kind_of(const std::string& path);

/// Exports all lines to one file. Throws MachineCannot if it cannot be written.
ExportReport export_to_file(const store::Reader& reader, const ExportOptions& options,
                            const std::string& path, FileKind kind);

/// Exports to `train`, `validation` and `test`, as far as they have lines, in `folder`, which is created if
/// it is missing; with a card (README.md) and, for LLaMA-Factory's formats, its dataset_info.json. Files of
/// an earlier export to the folder are replaced, or removed. Throws BadInput if the folder holds a README.md
/// that no export wrote, MachineCannot if files cannot be written.
ExportReport export_to_folder(const store::Reader& reader, const ExportOptions& options,
                              const std::string& folder, FileKind kind = FileKind::jsonl);

}  // namespace ridgeline::exporting
