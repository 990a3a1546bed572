#include "llm_clients/resolved_entry.hpp"

#include <algorithm>
#include <array>

#include "engine/core/error.hpp"
#include "llm_clients/entry_checks.hpp"
#include "llm_clients/http.hpp"
#include "llm_clients/protocol.hpp"

namespace ridgeline::llm {
namespace {

void resolve_headers(ResolvedEntry& entry, const GetEnv& getenv) {
  for (auto& [name, value] : entry.model.headers) {
    const auto where = "models." + entry.model.name + ".headers." + name;
    if (value.find("${") == std::string::npos) continue;
    // Each variable is redacted on its own too: a server may echo only the part that it calls a token.
    const auto remembering = [&](const char* variable) {
      const char* set = getenv(variable);
      if (set) entry.secrets.push_back(set);
      return set;
    };
    value = with_variables(value, where, remembering);
    // A line end in a value would start another header, which the variable's author could choose.
    if (std::ranges::any_of(value, [](unsigned char c) { return (c < 0x20 && c != '\t') || c >= 0x7f; }))
      throw BadInput(where + ": a variable in it holds a line end or a character that no header has");
    entry.secrets.push_back(value);
  }
}

/// Whether a header of the entry carries credentials. The provider's usual variable is then not read, so that
/// the key is not sent to a server that uses another one (Azure's api-key).
bool carries_own_credentials(const Model& model) {
  constexpr auto names =
      std::to_array<std::string_view>({"authorization", "api-key", "x-api-key", "x-goog-api-key"});
  return std::ranges::any_of(model.headers, [&](const auto& header) {
    return std::ranges::any_of(names, [&](auto name) { return same_header(header.first, name); });
  });
}

KeySource key_of(const Model& address, const GetEnv& getenv, const std::string& where) {
  // Parsed here so that a bad address is an error before the campaign starts, and names its YAML key.
  const Url url = parse_url(protocol_of(address.provider).url(address), where + ".base_url");
  if (!address.key_command.empty()) return KeySource(address.key_command, address.key_refresh);
  if (address.api_key_env.empty() && address.api_key_file.empty() && carries_own_credentials(address))
    return KeySource();
  return KeySource(read_key(address, url, getenv));
}

}  // namespace

ResolvedEntry resolve_entry(const Model& model, const GetEnv& getenv) {
  ResolvedEntry entry{model, {}, {}};
  resolve_headers(entry, getenv);
  const auto where = "models." + model.name;
  if (model.endpoints.empty()) entry.addresses.push_back({entry.model, key_of(entry.model, getenv, where)});
  for (std::size_t i = 0; i < model.endpoints.size(); ++i) {
    auto address = entry.model;
    address.base_url = model.endpoints[i].base_url;
    address.api_key_env = model.endpoints[i].api_key_env;
    address.api_key_file = model.endpoints[i].api_key_file;
    auto key = key_of(address, getenv, where + ".endpoints." + std::to_string(i));
    entry.addresses.push_back({std::move(address), std::move(key)});
  }
  return entry;
}

}  // namespace ridgeline::llm
