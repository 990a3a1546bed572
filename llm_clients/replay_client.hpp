// A client that answers from a recording.
#pragma once

#include <memory>

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/recording.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// Looks up each request by its address, whatever its prompt. Sets `diverged` if the hash of the prompt
/// differs from the recorded one (if either hash is empty, it compares the messages). A request without a
/// recorded answer gets `missing_recording`. `source` names the recording in messages. Usage is that of the
/// recorded call, its cost is at `model.prices`.
std::unique_ptr<LlmClient> make_replay_client(Model model, Recording recording, std::string source,
                                              std::unique_ptr<Timers> timers);

}  // namespace ridgeline::llm
