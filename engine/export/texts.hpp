// Declares the Python program that writes parquet as a compiled-in text. CMakeLists.txt generates it from
// ridgeline_export/to_parquet.py.
#pragma once

namespace ridgeline::exporting::detail {

struct ExportProgram {
  const char* name;  ///< null after the last
  const char* text;
};

extern const char* const to_parquet;
extern const ExportProgram export_programs[];

}  // namespace ridgeline::exporting::detail
