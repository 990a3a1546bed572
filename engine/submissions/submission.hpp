// Reads submissions to KernelBench-X: JSON lines {"predict": answer, "file": "Category/name.py"}.
//
// Everything about the file is checked here, before anything runs. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/suites/kernelbenchx/clone.hpp"

namespace ridgeline::submissions {

/// An answer to one task.
struct Submission {
  std::string file;                              ///< "Math/abs.py", the task's key in all that is written
  std::string stem;                              ///< "abs"
  std::string code;                              ///< the answer's text as KernelBench-X's scripts take it
  const suites::kernelbenchx::TaskFile* task{};  ///< in the clone, which outlives this
  int line = 0;                                  ///< from 1
};

/// Returns the part of an answer that KernelBench-X's scripts run: the first block that begins "```python",
/// or else what stands before the first fence; special tokens and surrounding white space removed.
std::string answer_text(std::string_view predict);

/// Reads the lines of `text`, whose name in messages is `name`. Throws BadInput that lists the bad lines,
/// each with its number, what is wrong and how to fix it: no JSON, a key that is missing or no text, a task
/// that the clone does not have, a second answer to a task. Blank lines are passed over; a file without a
/// line is bad.
std::vector<Submission> read_submissions(const std::string& name, std::string_view text,
                                         const suites::kernelbenchx::Clone& clone);

}  // namespace ridgeline::submissions
