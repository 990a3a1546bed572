// Says where, when and from which sources a figure was measured.
#pragma once

#include <string>

namespace ridgeline::bench {

/// "Intel Xeon … (2 cores); no GPU; 2026-11-25 01:02 UTC; commit 77bf8051". The commit has a `+` where
/// tracked files differ from it, and is "unknown" where the sources came without their history.
std::string machine_line();

}  // namespace ridgeline::bench
