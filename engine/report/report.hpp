// Writes a comparison as one HTML file: verdict, charts, tables, and what happened on each task, down to
// prompts, kernels and raw samples.
//
// The page loads nothing, reads without a script and prints. Its small script sorts and filters tables. Text
// from outside is escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/compare.hpp"
#include "engine/report/plots.hpp"

namespace ridgeline::store {
class Reader;
}

namespace ridgeline::report {

/// A store of the comparison.
struct Source {
  std::string path;                       ///< as the user named it; in commands that the report names
  const store::Reader* reader = nullptr;  ///< null: nothing of it is read, and no trajectory is in the file
};

/// Trajectories are put into the file, the best of each task first, until their HTML has this many bytes
/// together; the report says how many are not in it, and which command shows them.
inline constexpr std::size_t most_trajectory_bytes = 2'500'000;

/// Returns a self-contained page. `sources` are the compared stores in their order (TrajectoryResult::store).
/// Throws MachineCannot if a store is damaged.
std::string html_report(const compare::Comparison& comparison, const std::vector<Source>& sources = {});

/// Returns the report's body below its title, for a page that embeds it, with its own pages for trajectories.
std::string report_sections(const compare::Comparison& comparison, const std::vector<Source>& sources,
                            const std::function<std::string(const compare::TrajectoryResult&)>& page_of);

}  // namespace ridgeline::report
