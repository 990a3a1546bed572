// The parts of a task file: used by loader.cpp alone. Errors are BadInput with the place.
#pragma once

#include <string>
#include <vector>

#include "engine/core/task.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::benchmark_tasks::reading {

/// A C identifier that is no keyword of C++, and so can name an argument of a kernel.
std::string identifier(const yaml::Node& node);

Expression expression(const yaml::Node& node);
Expression expression(yaml::MapReader& map, const std::string& key);
Expression expression(yaml::MapReader& map, const std::string& key, Expression otherwise);

/// A tensor or a scalar, told apart by the key that names it.
Parameter parameter(yaml::MapReader map);

/// `sizes` are the symbols that the case must give, no fewer and no others.
Case one_case(yaml::MapReader map, const std::vector<std::string>& sizes);

/// What concerns several parts: names, symbols, the count of an output, the kinds of case, extents in every
/// case. `map` is the whole file, already read, for the places.
void validate(const Task& task, const yaml::MapReader& map);

}  // namespace ridgeline::benchmark_tasks::reading
