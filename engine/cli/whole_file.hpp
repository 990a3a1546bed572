// Files that are replaced whole or not at all.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace ridgeline::cli {

/// `write` fills a file beside `path`, which then takes its place. Throws MachineCannot, and leaves `path` as
/// it was, if that fails; what `write` throws passes through.
void replace_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace ridgeline::cli
