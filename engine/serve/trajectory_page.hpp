// Renders one trajectory, round by round, as HTML: the same facts that `ridgeline show` prints. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/history/history_text.hpp"

namespace ridgeline::serve {

/// Returns the body of a trajectory's page. `attempts` are in the order of their addresses. `source_of` finds
/// the sources that diffs start from.
std::string trajectory_html(const store::TrajectoryRecord& trajectory,
                            const std::vector<store::AttemptRecord>& attempts,
                            const history::SourceOf& source_of);

/// Returns the messages of a prompt as they were sent.
std::string prompt_html(const store::AskRecord& ask);

}  // namespace ridgeline::serve
