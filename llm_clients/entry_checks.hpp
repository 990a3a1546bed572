// Checks a model entry before anything is sent. The reader of campaign files calls these to report the line
// of a mistake; the factory calls them again for entries that came from elsewhere. Each `*_problem` returns
// the problem as the end of a sentence ("may not replace 'model'..."), or "" if there is none.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// Checks `extra`, which is merged into the body: it may not replace what the engine decides (the prompt, the
/// model) or what budgets are computed from (the limit on output).
std::string extra_problem(Provider provider, const nlohmann::json& extra);

/// Checks the name of an environment variable that holds an API key. It may not look like an API key itself,
/// written in place of the name. The problem never repeats the name. An empty name has no problem.
std::string variable_problem(std::string_view name);

/// Checks a header with `value` as written in the entry: the name must be one that the client does not write
/// itself, the value must have only printable ASCII characters and tabs, and a header for secrets
/// ("authorization") must name a variable ("${NAME}") and not contain the secret. The problem never repeats
/// the value.
std::string header_problem(std::string_view name, std::string_view value);

/// Checks that the query of an address carries no API key, since addresses are stored and shown. The problem
/// never repeats the key.
std::string query_problem(std::string_view base_url);

/// Returns `value` with each "${NAME}" replaced by the environment variable's value from `look_up`, which
/// returns null for a variable that is not set. Throws BadInput that begins with `where` for a variable that
/// is not set or empty, for a NAME with a `variable_problem`, and for "${" without its "}".
std::string with_variables(std::string_view value, const std::string& where,
                           const std::function<const char*(const char*)>& look_up);

}  // namespace ridgeline::llm
