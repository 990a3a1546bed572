// Records as a real campaign makes them, every field filled, for tests of the store and of what reads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::store::samples {

/// A folder of its own, removed with what it holds.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  const std::filesystem::path& root() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

CampaignRecord campaign(const std::string& name = "quickstart");
TaskRecord task(const std::string& name = "softmax", const std::string& category = "Math");
TrajectoryRecord trajectory(const TaskRecord& task, std::uint64_t seed = 7);

/// Distinct source a number.
Candidate candidate(int number, std::vector<Hash> parents = {});
AskRecord ask(Id trajectory, int step, int slot, const Candidate* candidate);
EvaluationRecord evaluation(Id trajectory, int step, int slot, const Verdict& verdict);

/// Correct on two timed cases with `samples` raw times in all, error quantiles, rooflines and counters.
Verdict correct_verdict(const Hash& task, const Hash& candidate, double seconds = 1e-3, int samples = 100);
/// Fails at `stage` for `reason`; a failure in the correctness stage has a mismatch with numbers that are not
/// finite.
Verdict failed_verdict(const Hash& task, const Hash& candidate, Stage stage, Reason reason);

}  // namespace ridgeline::store::samples
