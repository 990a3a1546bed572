// The clone's tables of reference times (metrics/golden_results/<machine>), and a submission's speed-up over
// them by KernelBench-X's rule.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/submissions/outcome.hpp"

namespace ridgeline::submissions {

/// The tables of one machine, by the task's stem.
struct Golden {
  std::string machine;  ///< "5090", or the folder that was given
  std::map<std::string, nlohmann::json> tables;
};

/// The machine whose tables KernelBench-X's scripts take unless told otherwise.
inline constexpr const char* default_golden_machine = "5090";

/// Reads the tables. `machine` is a folder's name below metrics/golden_results, or a folder's path, which has
/// a '/'. Throws BadInput if there are none there, with the machines that the clone has.
Golden read_golden(const std::filesystem::path& root, const std::string& machine);

/// The figures of the stage performance as KernelBench-X's scripts compute them from a script's table, which
/// has a row a size.
struct Efficiency {
  bool ok = false;
  std::string error;                                        ///< why not
  double runtime_ms = 0, gbs = 0, tflops = 0, speedup = 0;  ///< rounded to four digits, as there
  double golden_ms = 0;                                     ///< the sum of the reference's times
  int sizes = 0, golden_sizes = 0;  ///< how many the submission and the reference were timed at
  /// Over 10 s or below 0.01x: KernelBench-X's second script leaves the run out of its mean.
  bool abnormal = false;
  /// Over the sizes that both tables have; a size that failed counts nowhere. nullopt if there is none.
  std::optional<double> matched_speedup;
};

/// Computes them. `stem` names the table. Call it for submissions whose script left a table.
Efficiency efficiency(const nlohmann::json& sizes, const Golden& golden, const std::string& stem);

/// The element type that a performance script names, as KernelBench-X's scripts read it from the text: the
/// default of the argument `dtype`, or a token in the task's name, or "float32".
std::string dtype_of_script(const std::string& text, const std::string& stem);

/// Rounds as Python's round(value, digits) does.
double rounded(double value, int digits);

}  // namespace ridgeline::submissions
