// Torch's C++ header, precompiled by g++ (750 MB and 45 s of CPU once a machine; some 0.1 s to read), and
// main.cpp parsed behind it.
//
// Threads: any.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/worker/languages/torch_extension/front_ends/check.hpp"
#include "engine/worker/languages/torch_extension/front_ends/tools.hpp"

namespace ridgeline::front_ends {

struct HostHeader {
  std::filesystem::path folder;  // in the cache
  languages::BuildHold hold;
  std::string expected;  // what g++ says of wrong_main() without it, from the first error on
};

/// Returns what was made before; empty if nothing was.
std::optional<HostHeader> find_host_header(const languages::Workshop& workshop, const Tools& tools);

/// Makes it. Empty if `stop` became true, or if it cannot be made here: `why` says so then. Throws
/// MachineCannot.
std::optional<HostHeader> make_host_header(const languages::Workshop& workshop, const Tools& tools,
                                           const std::atomic<bool>& stop, std::string& why);

/// Parses `text`, which with_end() made of main.cpp, as the module's.
Said parse_behind(const HostHeader& header, const languages::Workshop& workshop, const Tools& tools,
                  const std::string& text, const std::string& module);

/// Returns why the header is of no use; "" if g++ says with it what it says without.
std::string distrust(const HostHeader& header, const languages::Workshop& workshop, const Tools& tools);

}  // namespace ridgeline::front_ends
