// Replaces a file completely or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace ridgeline::cli {

/// Lets `write` fill the file `path`.part and then renames it to `path`. Throws MachineCannot if the new file
/// cannot be opened, written to the end or renamed, and lets exceptions of `write` pass. After any exception
/// the file `path` is unchanged and the new file is removed.
void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace ridgeline::cli
