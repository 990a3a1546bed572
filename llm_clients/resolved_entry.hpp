// A model entry with its secrets read: the keys of all its addresses, and the variables in its headers.
#pragma once

#include <string>
#include <vector>

#include "llm_clients/keys.hpp"
#include "llm_clients/provider_client.hpp"

namespace ridgeline::llm {

struct ResolvedEntry {
  Model model;  ///< the entry, with variables in its headers replaced
  std::vector<ProviderParts::Address> addresses;
  std::vector<std::string> secrets;  ///< to be redacted besides the keys: values of headers and of variables
};

/// Reads the secrets of an entry. Throws BadInput that names the YAML key for a malformed address, a variable
/// that is not set, or a key that cannot be read.
ResolvedEntry resolve_entry(const Model& model, const GetEnv& getenv);

}  // namespace ridgeline::llm
