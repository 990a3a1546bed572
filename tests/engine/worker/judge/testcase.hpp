// The kernels of tests/testcases with the verdict that each one's header expects (README.md there).
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::judge {

struct Testcase {
  std::string name;
  std::string folder;  // "honest", "wrong", …
  Candidate candidate;
  Task task;                       // on the backend of the candidate's language
  std::set<std::string> expected;  // "passed", or "stage reason"
  std::string cheated;             // "yes", "no", or "" where either is fair
  bool honest = false;             // from honest/: nothing about it is suspected, however busy the machine
  /// If it passes, its speed-up over that of another file at most.
  struct AtMost {
    double factor = 0;
    std::filesystem::path file;
  };
  std::optional<AtMost> at_most;
};

void PrintTo(const Testcase& testcase, std::ostream* out);

/// Throws where the header lacks what it must have. Modules (`.py`) answer linear_task(), and the
/// honest ones need no header.
Testcase read_testcase(const std::filesystem::path& file);

/// Reads all test cases in `cpp`, `cuda` or `torch`, sorted by name.
std::vector<Testcase> testcases(Language language);

/// Returns "passed", "passed but cheated", or stage and reason of a failure: "timing wrong_when_timed".
std::string outcome_of(const Verdict& verdict);

/// Expects all that the header says but `at_most`.
void expect_verdict(const Testcase& testcase, const Verdict& verdict);

}  // namespace ridgeline::judge
