// The tasks of a campaign: those of a suite of ours, or of a clone of KernelBench, whose files are looked at
// first, since some of them cannot be answered and some can be answered by doing nothing.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"
#include "engine/core/task.hpp"
#include "engine/store/records.hpp"
#include "engine/suites/kernelbench/check_file.hpp"

namespace ridgeline::campaign {

struct Selection {
  std::vector<Task> tasks;
  /// Every file chosen from a clone, in its order, those that became no task too; empty for a suite of ours.
  std::vector<store::SuiteTaskRecord> suite;
};

/// What an earlier run found out about a file, and the task that it made of it.
struct KnownFile {
  store::SuiteTaskRecord record;
  std::optional<Task> task;
};
using KnownFiles = std::map<std::string, KnownFile>;  ///< by SuiteTaskRecord::file

using Look = std::function<suites::kernelbench::CheckReport(const suites::kernelbench::TaskFile&)>;
using Log = std::function<void(const std::string&)>;

/// Looks at each file that is not known, or is another now, or became no task: there may be more memory, or a
/// module that was missing. One that was only described is looked at again where the campaign wants checks.
/// All others are taken as they are known, so that a resumed campaign keeps its tasks.
Selection import_suite(const CampaignConfig& config, const KnownFiles& known, const Look& look,
                       const Log& log);

/// Where a clone's files are looked at: on the device that judges, or on a CPU where judging happens
/// elsewhere and this machine may have no GPU.
std::string looking_device(const WorkerChoice& worker);

/// Loads or imports. Of a clone: what the campaign's store knows is not asked again. Throws BadInput for a
/// filter that nothing meets, and MachineCannot where a clone's files need an oracle and there is none.
Selection select_tasks(const CampaignConfig& config, const Log& log);

/// "suite: 4 files: 3 ok, 1 broken", and a line for each that is not simply ok.
std::string suite_text(const std::vector<store::SuiteTaskRecord>& suite);

}  // namespace ridgeline::campaign
