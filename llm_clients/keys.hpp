// Reads API keys from a file or an environment variable. The campaign file names these, and never holds a
// key.
#pragma once

#include <functional>
#include <string>

#include "llm_clients/model.hpp"
#include "llm_clients/url.hpp"

namespace ridgeline::llm {

/// Looks up an environment variable as std::getenv does: null if it is not set. Tests pass their own.
using GetEnv = std::function<const char*(const char*)>;

/// Returns whether `text` can be a key: not empty, and only printable ASCII without spaces.
bool may_be_key(const std::string& text);

/// Returns the key for requests of `model` to `url`, without white space at its ends. Reads the file
/// `api_key_file` if the model entry names one; else the variable `api_key_env`, or the provider's usual one.
/// An empty variable counts as not set.
///
/// Returns "" if no variable is set and `url` is plain http or a loopback host: local servers need no key,
/// and one sent over plain http could be read on the way. A key that is set is returned for these too.
/// Otherwise throws BadInput, as it does for a file that is missing or empty and for text that cannot be a
/// key. The message names the variable or file and the fix, and never holds the key.
std::string read_key(const Model& model, const Url& url, const GetEnv& getenv);

}  // namespace ridgeline::llm
