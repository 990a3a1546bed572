// The one place where a model entry becomes a client.
#pragma once

#include <filesystem>
#include <memory>

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::llm {

/// Composes provider, transport, retries and limits for `model`. Reads the key from the environment or its
/// file here and nowhere else; reads the recording of a replay. `io` must outlive the client. All clients of
/// one `io` know together which endpoints are out: who waits for one tells it through `on_endpoint`.
/// `batch_folder` is where entries with `batch` keep records of batches in work (batch_client.hpp); empty:
/// nowhere, and a kill loses them.
///
/// Throws BadInput before anything is sent: a missing key (except for plain http and loopback addresses), a
/// bad base_url or `extra`, an unreadable recording, a proxy variable that cannot be used.
std::unique_ptr<LlmClient> make_client(const Model& model, boost::asio::io_context& io,
                                       OnEndpoint on_endpoint = {},
                                       const std::filesystem::path& batch_folder = {});

}  // namespace ridgeline::llm
