// Makes a task (core/task.hpp) from a module's file and the oracle's description of it.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/task.hpp"
#include "engine/oracle/description.hpp"
#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::suites::modules {

/// What a suite calls a task.
struct TaskNames {
  std::string file;         ///< in messages: "level1/23_Softmax"
  std::string identifier;   ///< a C identifier: "level1_23_Softmax"
  std::string category;     ///< its group in tables: "level1"
  int difficulty = 1;       ///< 1 to 5
  std::string description;  ///< prompts show it
  std::string scale = {};   ///< Module::scale
};

/// Makes a task with one timed case, "published", of the file's shapes, for one backend ("cpu" or "cuda").
/// Its parameters are forward's, then the state, then the outputs. The judge draws the inputs whose making
/// the oracle could follow, in all three input sets; the file's own code draws the others and the state.
/// `file` is what was described. Throws BadInput that names what no kernel can be given: an input that is
/// neither tensor nor number, more tensors than a call takes.
Task native_task(const TaskNames& names, oracle::TaskText file, const oracle::Description& description,
                 std::string_view backend);

/// Returns the longest chain of additions that the contract assumes. It is the largest of three counts: the
/// terms of the longest sum of one operator; the input elements for an output element; and of a chain of
/// operators the terms of all their sums, or the multiplications and additions for an output element if these
/// are fewer. (A sum over the outputs of a matrix product multiplies where chains only add up: 8192 sums of
/// 8192 terms counted as 67 million, and a tolerance for these holds half of the sum.)
double assumed_reduction(const oracle::Description& description);

}  // namespace ridgeline::suites::modules
