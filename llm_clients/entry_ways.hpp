// The ways to ask a model that its entry names, with what is secret in them read: keys, and the variables in
// headers.
#pragma once

#include <string>
#include <vector>

#include "llm_clients/keys.hpp"
#include "llm_clients/provider_client.hpp"

namespace ridgeline::llm {

struct EntryWays {
  Model model;  ///< with the values of its headers
  std::vector<ProviderParts::Way> ways;
  std::vector<std::string> secrets;  ///< besides the keys: values of headers, and of the variables in them
};

/// Throws BadInput naming the key of the entry: an address that is none, a variable that is not set, a key
/// that cannot be read.
EntryWays ways_of(const Model& model, const GetEnv& getenv);

}  // namespace ridgeline::llm
