// The tables of a report that are more than text: pairs with their intervals drawn, categories in colours,
// tasks with links to what happened on them.
#pragma once

#include <string>

#include "engine/compare/compare.hpp"
#include "engine/report/plots.hpp"

namespace ridgeline::report {

/// The table of pairs, each ratio drawn as an interval around 1.
std::string pairs_table(const compare::Comparison& comparison);

/// Categories by strategies, coloured by the share of trajectories that are solved. A category leads to its
/// tasks.
std::string heat_map(const compare::Comparison& comparison);

/// The table of tasks; a task leads to its details.
std::string tasks_table(const compare::Comparison& comparison, const Targets& targets);

/// Lists the trajectories of every strategy, task by task, folded. Each is a link where `targets` has a page
/// for it. `show_command` returns the command that shows a trajectory of the n-th store, without its
/// number.
std::string task_details(const compare::Comparison& comparison, const Targets& targets,
                         const std::function<std::string(std::size_t)>& show_command);

/// The id of a task's details.
std::string task_id(const std::string& task);

}  // namespace ridgeline::report
