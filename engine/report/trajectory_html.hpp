// Renders one trajectory: what was asked, answered and judged, round by round, with the differences between
// kernels. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/history/history_text.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::report {

/// Returns HTML that leads to an attempt's prompt: a link to its page, or the prompt itself, folded.
using PromptOf = std::function<std::string(const store::AskRecord&)>;

/// How a trajectory stands in its page.
struct TrajectoryStyle {
  PromptOf prompt_of;
  std::string prefix = {};  ///< of the ids of folded parts, so that several can stand in one page
  bool answers = true;      ///< whole answers too, in which kernels stand once more
};

/// Returns a trajectory's title and its attempts.
std::string trajectory_html(const store::TrajectoryRecord& trajectory,
                            const std::vector<store::AttemptRecord>& attempts,
                            const history::SourceOf& source_of, const TrajectoryStyle& style);

/// Returns the messages of a prompt exactly as they were sent.
std::string prompt_html(const store::AskRecord& ask);

}  // namespace ridgeline::report
