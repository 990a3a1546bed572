// Reads the parts of a task file, for loader.cpp alone. Errors are BadInput with the place.
#pragma once

#include <string>
#include <vector>

#include "engine/core/task.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::benchmark_tasks::reading {

/// Reads a C identifier that is not reserved, and so can name an argument of a kernel.
std::string identifier(const yaml::Node& node);

/// Read an expression in the task's sizes: of a node, of a key that must be there, or of a key with a
/// default.
Expression expression(const yaml::Node& node);
Expression expression(yaml::MapReader& map, const std::string& key);
Expression expression(yaml::MapReader& map, const std::string& key, Expression otherwise);

/// Reads a tensor or a scalar; the key that names it says which.
Parameter parameter(yaml::MapReader map);

/// Reads a case. It must give a value to each of `sizes`, and to no others.
Case task_case(yaml::MapReader map, const std::vector<std::string>& sizes);

/// Checks what concerns several parts: names, symbols, the count of an output, the kinds of case, extents in
/// every case. `map` is the whole file, already read, for the places of errors.
void validate(const Task& task, const yaml::MapReader& map);

}  // namespace ridgeline::benchmark_tasks::reading
