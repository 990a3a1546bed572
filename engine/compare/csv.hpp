// Lays a comparison's JSON document out as tables of comma-separated values, so that a figure has one name in
// both. Pure.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ridgeline::compare {

/// Returns the text of each table by its name, with a head (RFC 4180, lines end with "\n"). A list of objects
/// is a table, an object a row; a list within a row is a table of its own ("tasks.results"), whose first
/// columns count the rows of the tables above it, from 0, and its place in the list (`index`). The key of an
/// object within a row follows a point ("speedup.geometric_mean"). A list of two or three plain values has a
/// column for each ("interval.0"), if it has so many in every row; any other list stands in one cell, its
/// values apart by spaces. A plain value in a list of its own is in the column "value". null is an empty
/// cell. What is in no list stands in the table "summary".
std::map<std::string, std::string> csv_tables(const nlohmann::json& document);

}  // namespace ridgeline::compare
