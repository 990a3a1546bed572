// A person or another program as a model, through a MailboxFolder.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "llm_clients/client.hpp"
#include "llm_clients/folder_watch.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// Makes the watch over a folder; called once, from the factory function below.
using MakeWatch = std::function<std::unique_ptr<FolderWatch>(const std::filesystem::path& folder,
                                                             std::function<void()> changed)>;

/// Puts requests into `model.path` and completes them as their answers appear; one that is answered already
/// completes at once. It waits for ever, without limits and time-outs: a campaign may be stopped while
/// answers are missing and go on later. What is there and can never be read (no JSON, another request's id,
/// too large, a folder of that name) is not waited for: once it has stayed the same for ten seconds, its
/// requests come back `malformed`, with the fault `account`, as somebody must repair it. Throws BadInput
/// where the folder cannot be made.
std::unique_ptr<LlmClient> make_mailbox_client(Model model, std::unique_ptr<Timers> timers,
                                               const MakeWatch& make_watch);

}  // namespace ridgeline::llm
