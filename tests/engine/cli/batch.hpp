// Judges many answers by one `ridgeline evaluate --batch -` and finds the verdicts by id: one warm worker for
// a suite of tests.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ridgeline::cli {

class Batch {
 public:
  /// Adds an answer for `run` to judge.
  void ask(const std::string& id, const std::string& task, const std::string& language,
           const std::string& source);
  /// Adds the task's own module under torch.compile.
  void ask_compiled(const std::string& id, const std::string& task, const std::string& mode);
  /// Judges what was added. `more` are further words after `evaluate --batch -`.
  void run(const std::vector<std::string>& more);

  /// Throws with what the program wrote on stderr if there is no verdict with this id.
  const nlohmann::json& verdict(const std::string& id) const;
  const nlohmann::json& stage(const std::string& id, const std::string& name) const;
  std::string reason(const std::string& id, const std::string& stage_name) const;
  std::string detail(const std::string& id, const std::string& stage_name) const;
  /// Returns "stage: reason: detail" of the stage that did not pass; "none" if all did.
  std::string failure(const std::string& id) const;

 private:
  std::string lines_, error_output_;
  std::map<std::string, nlohmann::json> verdicts_;
};

/// Returns a ModelNew for level2/10_normalised_layer of the clone, with `body` as what forward does, indented
/// by eight spaces, and `before` in front of the class. `self.calls` begins at 0.
std::string normalised_layer(const std::string& body, const std::string& before = "");

}  // namespace ridgeline::cli
