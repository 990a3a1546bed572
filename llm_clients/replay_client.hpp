// Recorded answers as a model.
#pragma once

#include <memory>

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/recording.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// Answers a request by its address, whatever its prompt, and says with `diverged` where the hash of the
/// prompt is not the recorded one (an empty hash on either side compares the messages instead). An address
/// without a record comes back as `missing_recording`. `source` names the recording in messages. Usage and
/// its cost at `model.prices` are the recorded call's.
std::unique_ptr<LlmClient> make_replay_client(Model model, Recording recording, std::string source,
                                              std::unique_ptr<Timers> timers);

}  // namespace ridgeline::llm
