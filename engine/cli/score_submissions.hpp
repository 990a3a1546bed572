// `ridgeline evaluate --suite kernelbenchx:PATH PREDICTIONS --out DIR`: a whole file of answers by the
// suite's own rule.
#pragma once

#include <string>

#include "engine/cli/commands.hpp"

namespace CLI {
class App;
}

namespace ridgeline::cli {

/// The options of `evaluate` that only a file of submissions has.
struct SubmissionOptions {
  std::string out;  ///< if it is set, the command scores submissions
  std::string device = "cuda", golden;
  int jobs = 0;
  double stage_timeout = 300, bench_timeout = 180;
};

void add_submission_options(CLI::App& command, SubmissionOptions& options);

/// Scores the submissions in `predictions` and prints the summary. `suite` is what --suite says. Throws
/// BadInput, MachineCannot, and Interrupted after Ctrl-C.
void score_submissions(const std::string& suite, const std::string& predictions,
                       const SubmissionOptions& options, const std::string& isolation, bool time,
                       bool as_json, Exit& exit);

}  // namespace ridgeline::cli
