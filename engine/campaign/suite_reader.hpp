// What the campaign's suite permits the rest of its file to say.
#pragma once

#include <functional>
#include <string>

#include "engine/core/language.hpp"
#include "engine/suites/profile.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// `language` of the campaign: the suite's own where the file names none. Throws BadInput with its place for
/// one that the suite's tasks cannot be answered in.
Language read_language(yaml::MapReader& campaign, const suites::Profile& suite);

/// How to repair what another suite would permit: ": name <location> as suite.<name>", of the first suite
/// that `permits` it; "" where there is none.
std::string suite_with(const std::function<bool(const suites::Profile&)>& permits);

}  // namespace ridgeline::campaign
