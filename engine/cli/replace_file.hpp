// Replaces files whole or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace ridgeline::cli {

/// Lets `write` fill a file beside `path` and then renames it to `path`. Throws MachineCannot if that fails,
/// or whatever `write` throws. After an exception `path` is as it was.
void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace ridgeline::cli
