// Extends a sandbox policy by what a context on a GPU needs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox {

/// Admits device nodes, the driver's library and what that reads of /proc and /sys. `cupti`: the library by
/// which calls are counted; its folder is admitted too. `card`: the node of the only GPU that may be opened,
/// "/dev/nvidia3"; "": any.
void admit_gpu(Policy& policy, const std::optional<std::filesystem::path>& cupti,
               const std::string& card = {});

/// Returns the node of the GPU at a place on the PCI bus ("0000:1b:00.0"), by what the driver says below
/// `driver`; "" where it does not say, where there is no such node below `nodes`, and where that is the only
/// GPU's, so that nothing has to be kept out.
std::string card_node(const std::string& bus_id, const std::filesystem::path& driver = "/proc/driver/nvidia",
                      const std::filesystem::path& nodes = "/dev");

}  // namespace ridgeline::sandbox
