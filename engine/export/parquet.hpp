// Turns exported lines into parquet, by the user's Python with pyarrow (docs/decisions/parquet-by-python.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ridgeline::exporting {

/// Writes the file `parquet` from the JSON lines in the file `lines`, with columns of the schema's types
/// (schema.hpp). Blocks until it is written. Throws MachineCannot if the Python that python::which_python()
/// names has no pyarrow, or the file cannot be written.
void to_parquet(const nlohmann::json& schema, const std::string& lines, const std::string& parquet);

}  // namespace ridgeline::exporting
