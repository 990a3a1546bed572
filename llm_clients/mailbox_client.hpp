// A client whose model is a person or another program that answers through a MailboxFolder.
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

/// Writes requests into `model.path` and completes them as their answers appear, at once if the answer is
/// there already. Waits without a time limit: a campaign may be stopped while answers are missing and go on
/// later. An unusable answer (no JSON, another request's id, too large, a folder of that name) is an
/// exception: once it has stayed unchanged for ten seconds, its requests come back `malformed` with the fault
/// `account`, because a person must repair it. Throws BadInput if the folder cannot be made.
std::unique_ptr<LlmClient> make_mailbox_client(Model model, std::unique_ptr<Timers> timers,
                                               const MakeWatch& make_watch);

}  // namespace ridgeline::llm
