// A small clone with what scoring reads of one, and runs over it on the CPU.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/submissions/scoring.hpp"
#include "tests/engine/suites/kernelbenchx/small_clone.hpp"

namespace ridgeline::submissions {

/// An answer: code and the task's file.
using Answer = std::pair<std::string, std::string>;

inline std::string jsonl(const std::vector<Answer>& answers) {
  std::string text;
  for (const auto& [code, file] : answers)
    text +=
        nlohmann::json{{"predict", "Here it is:\n```python\n" + code + "\n```\n"}, {"file", file}}.dump() +
        "\n";
  return text;
}

/// The clone of the suite's tests with tables and scripts for times; gone at the end.
class ScoringBed {
 public:
  explicit ScoringBed(const std::string& name)
      : clone(suites::kernelbenchx::copied_clone("scoring-" + name)) {
    std::filesystem::copy(RIDGELINE_SOURCE_DIR "/tests/engine/submissions/metrics", clone / "metrics",
                          std::filesystem::copy_options::recursive);
  }
  ~ScoringBed() { std::filesystem::remove_all(clone); }
  ScoringBed(const ScoringBed&) = delete;  // owns the folder
  ScoringBed& operator=(const ScoringBed&) = delete;

  /// Settings for a run on the CPU over these answers.
  ScoringSettings settings(const std::vector<Answer>& answers) const {
    std::ofstream(clone / "predictions.jsonl") << jsonl(answers);
    ScoringSettings settings;
    settings.clone = clone;
    settings.predictions = clone / "predictions.jsonl";
    settings.out = clone / "out";
    settings.device = "cpu";
    settings.lanes = 1;
    return settings;
  }

  std::filesystem::path clone;
};

inline const std::string right_relu = R"(import torch

def half_relu(input, weight=None, *, scale=1.0, out=None):
    result = (torch.clamp(input, min=0) + torch.clamp(input, max=0) * 0.5) * scale
    return result if weight is None else result * weight
)";

}  // namespace ridgeline::submissions
