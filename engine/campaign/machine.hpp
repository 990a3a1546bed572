// Derives two things from a campaign's file: the text by which prompts describe the machine that runs the
// candidates, and the abilities that a worker must have. A worker is the process on that machine that builds
// and judges candidates; its first message, the hello, reports what the machine offers.
//
// The description uses only facts that stay the same from run to run: a resumed campaign must render the
// prompts that it rendered before.
#pragma once

#include "engine/campaign/config.hpp"
#include "engine/evaluation/hello_check.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::campaign {

/// Describes the machine. `hello` gives the names of the device and the versions of the compilers; `config`
/// gives the backend, the language and the compiler flags, if the campaign sets its own.
prompts::Machine machine_of(const protocol::Hello& hello, const CampaignConfig& config);
/// Returns the languages, the isolation and the backend that a worker must offer. Beside the campaign's own
/// language that is any other language that its prompts allow in answers (CUDA inside a PyTorch module), and
/// torch if baselines are compiled with torch.compile.
evaluation::Requirements requirements_of(const CampaignConfig& config);
/// Describes the machine from the campaign's file alone. Needed where candidates are judged through a mailbox
/// (a folder in which requests and verdicts are exchanged as files): no worker sends a hello there.
prompts::Machine machine_without_hello(const CampaignConfig& config);

}  // namespace ridgeline::campaign
