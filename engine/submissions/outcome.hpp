// What scoring one submission found, stage by stage, as data: in the progress file, and the source of
// metrics.json.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::submissions {

/// How a stage ended. Only `passed` counts for KernelBench-X's scripts.
enum class StageEnd {
  passed,
  empty,      ///< the answer holds no code
  no_entry,   ///< its top level does not define the task's name
  failed,     ///< it ended with an error, or its results differ
  timed_out,  ///< KernelBench-X's scripts have no time-out in the stages call and execution
  killed,     ///< a limit of the sandbox, or a crash
  not_run,    ///< an earlier stage did not pass
};

constexpr auto enum_names(StageEnd) {
  return std::to_array<Name<StageEnd>>({{StageEnd::passed, "passed"},
                                        {StageEnd::empty, "empty"},
                                        {StageEnd::no_entry, "no_entry"},
                                        {StageEnd::failed, "failed"},
                                        {StageEnd::timed_out, "timed_out"},
                                        {StageEnd::killed, "killed"},
                                        {StageEnd::not_run, "not_run"}});
}

/// The stages call and execution of a submission.
struct Correctness {
  StageEnd call = StageEnd::not_run;
  std::string call_error;  ///< as KernelBench-X's scripts keep it: the head of stderr
  nlohmann::json quality = nlohmann::json::object();  ///< radon's figures; empty if there are none
  StageEnd execution = StageEnd::not_run;
  std::string execution_error;
  /// Whether it passes with candidate and reference in one process, as KernelBench-X's scripts run them. The
  /// candidate's own process says so. nullopt if that process did not say anything.
  std::optional<bool> in_one_process;
  std::string in_one_process_error;
  nlohmann::json quantization;  ///< worst cosine_sim, l1_relative, rmse of a quantized task; null if none
  /// Where this says something else than KernelBench-X's scripts would, and why.
  std::vector<std::string> notes;
  double seconds = 0;  ///< of all its processes

  bool isolation_changed() const {
    return in_one_process && *in_one_process != (execution == StageEnd::passed);
  }
};

/// The stage performance of a submission.
struct Performance {
  StageEnd end = StageEnd::not_run;
  std::optional<nlohmann::json> sizes;  ///< one a size that was timed; nullopt: the script left no table
  std::string error;                    ///< "" if it ended by itself without one
  double seconds = 0;
};

nlohmann::json as_json(const Correctness& correctness);
nlohmann::json as_json(const Performance& performance);
/// Read what as_json wrote. Throw Error or nlohmann's exceptions for another document.
Correctness correctness_from(const nlohmann::json& document);
Performance performance_from(const nlohmann::json& document);

}  // namespace ridgeline::submissions
