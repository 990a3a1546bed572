#include "llm_clients/entry_ways.hpp"

#include <algorithm>
#include <array>

#include "engine/core/error.hpp"
#include "llm_clients/entry_checks.hpp"
#include "llm_clients/http.hpp"
#include "llm_clients/protocol.hpp"

namespace ridgeline::llm {
namespace {

void resolve_headers(EntryWays& entry, const GetEnv& getenv) {
  for (auto& [name, value] : entry.model.headers) {
    const auto where = "models." + entry.model.name + ".headers." + name;
    if (value.find("${") == std::string::npos) continue;
    const auto remembering = [&](const char* variable) {
      const char* set = getenv(variable);
      if (set) entry.secrets.push_back(set);
      return set;
    };
    value = with_variables(value, where, remembering);
    // A line end in the variable would become a header of its own.
    if (std::ranges::any_of(value, [](unsigned char c) { return (c < 0x20 && c != '\t') || c >= 0x7f; }))
      throw BadInput(where + ": a variable in it holds a line end or a character that no header has");
    entry.secrets.push_back(value);
  }
}

/// The entry says in a header who it is: the provider's usual variable is not asked.
bool signs_itself(const Model& model) {
  constexpr auto names =
      std::to_array<std::string_view>({"authorization", "api-key", "x-api-key", "x-goog-api-key"});
  return std::ranges::any_of(model.headers, [&](const auto& header) {
    return std::ranges::any_of(names, [&](auto name) { return same_header(header.first, name); });
  });
}

KeySource key_of(const Model& way, const GetEnv& getenv, const std::string& where) {
  const Url url = parse_url(protocol_of(way.provider).url(way), where + ".base_url");
  if (!way.key_command.empty()) return KeySource(way.key_command, way.key_refresh);
  if (way.api_key_env.empty() && way.api_key_file.empty() && signs_itself(way)) return KeySource();
  return KeySource(read_key(way, url, getenv));
}

}  // namespace

EntryWays ways_of(const Model& model, const GetEnv& getenv) {
  EntryWays entry{model, {}, {}};
  resolve_headers(entry, getenv);
  const auto where = "models." + model.name;
  if (model.endpoints.empty()) entry.ways.push_back({entry.model, key_of(entry.model, getenv, where)});
  for (std::size_t i = 0; i < model.endpoints.size(); ++i) {
    auto way = entry.model;
    way.base_url = model.endpoints[i].base_url;
    way.api_key_env = model.endpoints[i].api_key_env;
    way.api_key_file = model.endpoints[i].api_key_file;
    auto key = key_of(way, getenv, where + ".endpoints." + std::to_string(i));
    entry.ways.push_back({std::move(way), std::move(key)});
  }
  return entry;
}

}  // namespace ridgeline::llm
