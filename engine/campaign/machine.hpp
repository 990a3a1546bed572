// What prompts say of the machine: only what stays the same from run to run, since a resumed campaign must
// render the prompts that it rendered before.
#pragma once

#include "engine/campaign/config.hpp"
#include "engine/evaluation/hello_check.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::campaign {

prompts::Machine machine_of(const protocol::Hello& hello, const CampaignConfig& config);
/// What a worker must offer for `config`'s candidates, and for what its prompts ask of them.
evaluation::Requirements requirements_of(const CampaignConfig& config);
/// For deferred evaluation, where no worker has said hello.
prompts::Machine unknown_machine(const CampaignConfig& config);

}  // namespace ridgeline::campaign
