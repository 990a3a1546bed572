// Sorts judged answers into KernelBench's categories of how an answer ends.
#pragma once

#include <optional>

#include "engine/core/names.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::compare {

/// How an answer ended.
enum class Ending {
  correct,
  no_answer,          ///< the answer holds no kernel, or nothing was evaluated
  compilation_error,  ///< it does not build, or the built library cannot be loaded
  runtime_error,      ///< it raises, crashes, exits, or makes a forbidden call
  correctness_issue,
  cuda_error,
  timeout,
  error_during_performance,  ///< correct, but its timing failed
  excessive_speedup,         ///< a time that no honest kernel can have
  cheated,
  other_error,
  not_judged  ///< the machine failed; counted in no share
};
constexpr auto enum_names(Ending) {
  return std::to_array<Name<Ending>>({{Ending::correct, "correct"},
                                      {Ending::no_answer, "no_answer"},
                                      {Ending::compilation_error, "compilation_error"},
                                      {Ending::runtime_error, "runtime_error"},
                                      {Ending::correctness_issue, "correctness_issue"},
                                      {Ending::cuda_error, "cuda_error"},
                                      {Ending::timeout, "timeout"},
                                      {Ending::error_during_performance, "error_during_performance"},
                                      {Ending::excessive_speedup, "excessive_speedup"},
                                      {Ending::cheated, "cheated"},
                                      {Ending::other_error, "other_error"},
                                      {Ending::not_judged, "not_judged"}});
}
inline constexpr std::size_t ending_count = enum_names(Ending{}).size();

/// Returns how a judged answer that is not correct ended, by our own rule of correctness: the stage that
/// failed, and why. Empty if none did: then a suspicion decided.
Ending ending_of_failure(std::optional<Stage> failed, Reason reason);

}  // namespace ridgeline::compare
