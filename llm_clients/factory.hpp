// Makes clients from model entries; nothing else does.
#pragma once

#include <filesystem>
#include <memory>

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::llm {

/// Composes provider, transport, retries and limits for `model`. A key in the environment or a file is read
/// here and nowhere else; a `key_command` runs later. Reads the recording of a replay. `io` must outlive the
/// client. All clients of one `io` that send each request by itself to a provider (no batch, replay or
/// mailbox) share the state of endpoints. Clients of providers report through `on_endpoint` when their
/// requests wait for an endpoint. Entries with `batch` write records of their batches into `batch_folder`
/// (batch_client.hpp); if it is empty, a kill loses them.
///
/// Throws BadInput before anything is sent for a missing key (except at plain http and loopback addresses), a
/// bad base_url or `extra`, an unreadable recording, or an unusable proxy variable.
std::unique_ptr<LlmClient> make_client(const Model& model, boost::asio::io_context& io,
                                       OnEndpoint on_endpoint = {},
                                       const std::filesystem::path& batch_folder = {});

}  // namespace ridgeline::llm
