// Selects the tasks of a campaign from its suite. A public suite's files are examined one by one, since some
// cannot be answered and some are answered by doing nothing; the findings are kept in the store.
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
  /// The finding about each file, in the suite's order, also about files that became no task. Empty for a
  /// suite that does not examine files (suites::Proof).
  std::vector<store::SuiteTaskRecord> suite;
};

/// Holds what an earlier run recorded about a file, and the task that it made of it.
struct KnownFile {
  store::SuiteTaskRecord record;
  std::optional<Task> task;
};
using KnownFiles = std::map<std::string, KnownFile>;  ///< by SuiteTaskRecord::file

using Log = std::function<void(const std::string&)>;

/// Examines files and reuses what is known of the others, so that a resumed campaign keeps its tasks.
/// Examines a file that is new, that changed, or that became no task (there may be more memory now, or a
/// module that was missing), and one that was only described if the campaign wants checks. `log` receives a
/// line per file examined.
Selection examine_suite(const CampaignConfig& config, const KnownFiles& known, const Log& log);

/// Returns the device of this machine on which files are examined: its first GPU if a GPU judges, or "cpu",
/// also behind a mailbox, where this machine may have no GPU. No worker has started by then, so `--devices`
/// in a launcher is not known; CUDA_VISIBLE_DEVICES chooses among this machine's GPUs.
std::string examining_device(const WorkerChoice& worker);

/// Returns the tasks that the campaign's suite lists. If the suite examines its files, reuses what the
/// campaign's store knows. Throws BadInput for a filter that no task meets, and MachineCannot if the suite
/// needs a program that this machine lacks.
Selection select_tasks(const CampaignConfig& config, const Log& log);

/// Returns "suite: 4 files: 3 ok, 1 broken", and a line for each file that is not simply ok.
std::string suite_text(const std::vector<store::SuiteTaskRecord>& suite);

}  // namespace ridgeline::campaign
