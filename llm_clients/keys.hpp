// Where an API key comes from: a file or the environment, never the campaign file.
#pragma once

#include <functional>
#include <string>

#include "llm_clients/model.hpp"
#include "llm_clients/url.hpp"

namespace ridgeline::llm {

using GetEnv = std::function<const char*(const char*)>;

/// It can stand in a header: not empty, and no space, line end or other character that no key has.
bool may_be_key(const std::string& text);

/// The key of `model`, which is asked at `url`. Empty where none is set and none is needed: `url` is plain
/// http or a loopback host. Throws BadInput naming the variable or file and the fix; the message never holds
/// the key. A file is read whole and trimmed.
std::string read_key(const Model& model, const Url& url, const GetEnv& getenv);

}  // namespace ridgeline::llm
