// Reads API keys from a file or the environment, never from the campaign file.
#pragma once

#include <functional>
#include <string>

#include "llm_clients/model.hpp"
#include "llm_clients/url.hpp"

namespace ridgeline::llm {

using GetEnv = std::function<const char*(const char*)>;

/// Whether `text` can be a key: not empty, and only printable ASCII without spaces.
bool may_be_key(const std::string& text);

/// Reads the key for requests of `model` to `url`. A file is read whole and trimmed. Returns "" if no key is
/// set and none is needed, because `url` is plain http or a loopback host. Throws BadInput that names the
/// variable or file and the fix; the message never holds the key.
std::string read_key(const Model& model, const Url& url, const GetEnv& getenv);

}  // namespace ridgeline::llm
