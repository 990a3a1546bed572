// One run of a campaign from its file to its end: opens the store, starts workers and models, runs, stops
// cleanly.
#pragma once

#include <functional>
#include <string>

#include "engine/campaign/config.hpp"
#include "engine/campaign/coordinator.hpp"
#include "engine/campaign/plan.hpp"
#include "engine/campaign/progress.hpp"
#include "engine/core/names.hpp"

namespace ridgeline::campaign {

enum class RunEnd {
  finished,
  interrupted,  ///< by SIGINT or SIGTERM: run it again to go on
  waiting,      ///< `until_waiting`: every trajectory waits for answers in mailboxes
  paused        ///< an endpoint or the worker is out, a key is refused, a cap of `budget.total` is reached
};
constexpr auto enum_names(RunEnd) {
  return std::to_array<Name<RunEnd>>({{RunEnd::finished, "finished"},
                                      {RunEnd::interrupted, "interrupted"},
                                      {RunEnd::waiting, "waiting"},
                                      {RunEnd::paused, "paused"}});
}

struct RunResult {
  RunEnd end = RunEnd::finished;
  Pause why;  ///< of `paused`
};

struct RunOptions {
  bool until_waiting = false;  ///< stop once nothing but mailboxes can bring it further
  bool fork = false;           ///< where recorded requests no longer match, start a branch (branch.hpp)
  std::function<void(const std::string&)> log = [](const std::string&) {
  };  ///< a line of a worker or of the engine
};

/// Runs or resumes on the calling thread. Throws BadInput and MachineCannot; before the first call to a model
/// for everything that can be known by then.
RunResult run_campaign(const CampaignConfig& config, const Plan& plan, Progress& progress,
                       const RunOptions& options);

}  // namespace ridgeline::campaign
