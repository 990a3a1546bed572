// Chooses the GPUs that a worker measures on, of those that its first judge found. No I/O.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::agent {

/// Returns "cuda:1", by which options, logs and notes name a device.
std::string device_selector(const protocol::Device& device);
/// Returns how many GPUs were found.
std::size_t gpu_count(const protocol::Described& described);

/// Returns the GPUs named in `wanted`, or all if it is empty, in the order of described.devices. All
/// candidates are built for one architecture, that of the first GPU returned. A GPU of another architecture
/// is left out, even if it is wanted, and a shortfall is added to `described`. Throws BadInput if `wanted`
/// names a GPU that is not there.
std::vector<protocol::Device> chosen_gpus(protocol::Described& described,
                                          const std::vector<std::string>& wanted);

}  // namespace ridgeline::agent
