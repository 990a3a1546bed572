// The tasks of a campaign, from its suite. Files from elsewhere are examined one by one, since some of them
// cannot be answered and some can be answered by doing nothing; what was found is kept in the store.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"
#include "engine/core/task.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::campaign {

struct Selection {
  std::vector<Task> tasks;
  /// Every file that the suite examined, in its order, those that became no task too; empty for a suite that
  /// is proven otherwise (suites::Proof).
  std::vector<store::SuiteTaskRecord> suite;
};

/// What an earlier run found out about a file, and the task that it made of it.
struct KnownFile {
  store::SuiteTaskRecord record;
  std::optional<Task> task;
};
using KnownFiles = std::map<std::string, KnownFile>;  ///< by SuiteTaskRecord::file

using Log = std::function<void(const std::string&)>;

/// Examines each file that is not known, or is another now, or became no task: there may be more memory, or a
/// module that was missing. One that was only described is examined again where the campaign wants checks.
/// All others are taken as they are known, so that a resumed campaign keeps its tasks.
Selection examine_suite(const CampaignConfig& config, const KnownFiles& known, const Log& log);

/// Where files are examined: on the device that judges, or on a CPU where judging happens elsewhere and this
/// machine may have no GPU.
std::string examining_device(const WorkerChoice& worker);

/// The tasks that the campaign's suite lists. Where the suite examines its files, what the campaign's store
/// knows is not asked again. Throws BadInput for a filter that nothing meets, and MachineCannot where the
/// suite needs a program that this machine lacks.
Selection select_tasks(const CampaignConfig& config, const Log& log);

/// "suite: 4 files: 3 ok, 1 broken", and a line for each that is not simply ok.
std::string suite_text(const std::vector<store::SuiteTaskRecord>& suite);

}  // namespace ridgeline::campaign
