// Scores a file of submissions to KernelBench-X by its own rule, in processes of their own.
//
// Call and execution run on `lanes` lanes side by side; then performance, one submission at a time and with
// nothing beside it. What was found is kept in the output's folder, and a second run goes on.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/submissions/golden.hpp"
#include "engine/submissions/metrics.hpp"
#include "engine/submissions/stages.hpp"
#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::submissions {

struct ScoringSettings {
  std::filesystem::path clone;        ///< the repository's root
  std::filesystem::path predictions;  ///< JSON lines
  std::filesystem::path out;          ///< made if it is not there
  std::string device = "cuda";        ///< "cuda", "cuda:1" or "cpu"
  std::string golden = default_golden_machine;
  int lanes = 0;  ///< 0: as many as the machine has cores
  bool time = true;
  StageLimits limits;
  sandbox::Isolation least = sandbox::Isolation::standard;
  std::function<bool()> stop = [] { return false; };                       ///< asked from several threads
  std::function<void(const std::string& line)> tell = [](const auto&) {};  ///< from one thread at a time
};

/// The two documents, which were also written to the output's folder.
struct Scores {
  nlohmann::json metrics, summary;
  bool stopped = false;  ///< then nothing was written but what was found so far, and the rest is empty
};

/// Throws BadInput for anything wrong with clone, predictions or settings, before a process is started; then
/// MachineCannot if there is no GPU, no Python with torch, or not the isolation asked for.
Scores score(const ScoringSettings& settings);

}  // namespace ridgeline::submissions
