// What `ridgeline evaluate --batch -` says of many answers, by their ids: one warm worker for a suite of
// tests.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ridgeline::cli {

class Batch {
 public:
  /// To be judged by `run`.
  void ask(const std::string& id, const std::string& task, const std::string& language,
           const std::string& source);
  /// The task's own module under torch.compile.
  void ask_compiled(const std::string& id, const std::string& task, const std::string& mode);
  /// With these words after `evaluate --batch -`.
  void run(const std::vector<std::string>& more);

  /// Throws what the program said on stderr where it has none of that id.
  const nlohmann::json& verdict(const std::string& id) const;
  const nlohmann::json& stage(const std::string& id, const std::string& name) const;
  std::string reason(const std::string& id, const std::string& stage_name) const;
  std::string detail(const std::string& id, const std::string& stage_name) const;
  /// "stage: reason: detail" of the stage that did not pass; "none".
  std::string failure(const std::string& id) const;

 private:
  std::string lines_, told_;
  std::map<std::string, nlohmann::json> verdicts_;
};

}  // namespace ridgeline::cli
