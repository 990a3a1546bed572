// Writes the output of `ridgeline tasks list`, `show` and `check` about a clone of KernelBench-X. No I/O.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/suites/kernelbenchx/examine.hpp"
#include "engine/suites/suite.hpp"

namespace ridgeline::suites::kernelbenchx {

/// Returns the file's text: both parts and the separator between them.
std::string text_of_file(const TaskFile& task);

/// Returns a task as JSON: what its file and its metadata say, without texts that may hold a solution.
nlohmann::json task_document(const TaskFile& task);

/// Returns the table of tasks. `suite` is the suite's name, `root` the clone's folder.
Listing listing_of(const std::string& suite, const std::vector<TaskFile>& tasks,
                   const std::filesystem::path& root);

/// Return the report on an examined task: as lines for people, as JSON for programs.
std::string checked_text(const TaskFile& task, const Examined& examined);
nlohmann::json checked_document(const TaskFile& task, const Examined& examined);

/// Counts tasks that can be judged, and the others by their refusal; those outside the metadata apart.
class CheckCounts {
 public:
  void add(const TaskFile& task, const Examined& examined);
  /// The exit status is 1 if a task is refused for what it is, else 3 if one does not fit this machine, else
  /// 0.
  CheckSummary summary() const;

 private:
  struct Counted {
    int judged = 0;
    std::map<Refusal, int> refused;
  };
  Counted in_metadata_, outside_;
};

}  // namespace ridgeline::suites::kernelbenchx
