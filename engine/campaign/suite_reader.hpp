// The part of a campaign file that says which tasks are asked, and in which language they are answered.
#pragma once

#include "engine/campaign/config.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::campaign {

/// The map under `suite`. A clone of KernelBench that cannot be used, and a filter that nothing in it meets,
/// are BadInput with their place, so that they are found before anything is spent.
SuiteChoice read_suite(yaml::MapReader map);

/// Loads the suite that `suite` names and chooses from it, so that a name, a category or a folder that is not
/// there is a BadInput with its place in the campaign file. Nothing to do for a clone, which is read by then.
void check_native_suite(yaml::MapReader& campaign, const SuiteChoice& suite);

/// `language` of the campaign. KernelBench's tasks are modules: torch answers them in their own form, cpp
/// where an answer is a kernel.
Language read_language(yaml::MapReader& campaign, const SuiteChoice& suite);

}  // namespace ridgeline::campaign
