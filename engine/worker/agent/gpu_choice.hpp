// Chooses the GPUs that a worker measures on, of those that its first judge found. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::agent {

/// "cuda:1": how a device is named in options, logs and notes.
std::string name_of(const protocol::Device& device);
/// How many GPUs were found.
std::size_t gpus_of(const protocol::Described& described);

/// Returns the GPUs named in `wanted`, all if it is empty, in their order. All candidates are built for one
/// architecture, so GPUs of another than the first one's are left out, and become a shortfall of `described`.
/// Throws BadInput if a wanted one is not there.
std::vector<protocol::Device> chosen_gpus(protocol::Described& described,
                                          const std::vector<std::string>& wanted);

}  // namespace ridgeline::agent
