// Reads the key `language` of a campaign file, which must suit the campaign's suite.
#pragma once

#include <functional>
#include <string>

#include "engine/core/language.hpp"
#include "engine/suites/profile.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// Reads the campaign's `language`; the suite's own if the file names none. Throws BadInput with its place
/// for a language that the suite's tasks cannot be answered in.
Language read_language(yaml::MapReader& campaign, const suites::Profile& suite);

/// Returns the end of an error text that names a suite to choose instead, ": name <location> as
/// suite.<name>": the first suite for which `permits` holds. Returns "" if there is none.
std::string hint_at_suite(const std::function<bool(const suites::Profile&)>& permits);

}  // namespace ridgeline::campaign
