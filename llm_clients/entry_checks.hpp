// What is wrong with a model entry, found before anything is sent. The reader of campaigns asks with places
// at hand, the factory once more for entries that came from elsewhere.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// Why `extra` may not be merged into the body: it would replace what the engine decides (the prompt, the
/// model) or what a budget is computed from (how much may be written). Empty where it may.
std::string extra_problem(Provider provider, const nlohmann::json& extra);

/// Why `name` cannot be the name of an environment variable, or looks like a key itself. Never repeats it.
std::string variable_problem(std::string_view name);

/// Why a header may not be sent along, with `value` as it stands in the entry; never repeats the value.
std::string header_problem(std::string_view name, std::string_view value);

/// Why an address may not be one: its query carries a key. Never repeats it.
std::string query_problem(std::string_view base_url);

/// `value` with each "${NAME}" in it replaced. `look_up` returns null for a variable that is not set.
/// Throws BadInput naming `where` and the variable.
std::string with_variables(std::string_view value, const std::string& where,
                           const std::function<const char*(const char*)>& look_up);

}  // namespace ridgeline::llm
