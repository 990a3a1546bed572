// Tasks for people.
#pragma once

#include <string>

#include "engine/suites/suite.hpp"

namespace ridgeline::cli {

std::string listing_text(const suites::Listing& listing);
std::string task_text(const Task& task);

}  // namespace ridgeline::cli
