// Writes tasks as text for people.
#pragma once

#include <string>

#include "engine/suites/suite.hpp"

namespace ridgeline::cli {

/// Returns a suite's tasks as a table, one per line.
std::string listing_text(const suites::Listing& listing);
/// Returns a native task whole: formula, stub, cases, counts and reference.
std::string task_text(const Task& task);

}  // namespace ridgeline::cli
