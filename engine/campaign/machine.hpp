// Describes the judging machine for prompts. Only facts that stay the same from run to run are used, since a
// resumed campaign must render the prompts that it rendered before.
#pragma once

#include "engine/campaign/config.hpp"
#include "engine/evaluation/hello_check.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::campaign {

/// Describes the machine from what its worker reported when it started.
prompts::Machine machine_of(const protocol::Hello& hello, const CampaignConfig& config);
/// Returns what a worker must offer to judge `config`'s candidates, and to build what prompts invite them to
/// use.
evaluation::Requirements requirements_of(const CampaignConfig& config);
/// Describes the machine from the campaign file alone: behind a mailbox no worker reports anything.
prompts::Machine machine_without_hello(const CampaignConfig& config);

}  // namespace ridgeline::campaign
