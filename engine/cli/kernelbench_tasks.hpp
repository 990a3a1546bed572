// `ridgeline tasks` over a clone of KernelBench (`--suite kernelbench:PATH`).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cli/commands.hpp"
#include "engine/core/task.hpp"
#include "engine/oracle/oracle_process.hpp"
#include "engine/suites/kernelbench/clone.hpp"

namespace ridgeline::cli {

struct KernelBenchOptions {
  std::filesystem::path clone;
  std::string levels;              ///< "1,2"; "": those that need no network
  std::vector<std::string> tasks;  ///< names or globs; empty: all of the levels
  std::string device = "cpu";
  double timeout = 300;  ///< seconds a task
  bool json = false;
};

/// Tasks of a clone as any task is judged; one oracle process says what each file is.
class KernelBenchTasks {
 public:
  /// Throws BadInput where there is no such clone. Starts nothing yet.
  explicit KernelBenchTasks(const std::filesystem::path& clone);

  /// What describes tasks begins to start, and is not waited for.
  void begin() { oracle_.begin(); }

  /// The file that `name` means. Throws BadInput where it means none or several.
  suites::kernelbench::TaskFile file(const std::string& name) const;

  /// The task that `name` means, for `backend`. Throws BadInput where the name means none or several, or the
  /// file cannot be run or given to a kernel.
  Task task(const std::string& name, std::string_view backend);

 private:
  suites::kernelbench::Clone clone_;
  oracle::OracleProcess oracle_;
};

void list_kernelbench(const KernelBenchOptions& options);
void show_kernelbench(const KernelBenchOptions& options);

/// Exit status: 1 if a task is broken or degenerate, else 3 if one does not fit this machine, else 0.
void check_kernelbench(const KernelBenchOptions& options, Exit& exit);

}  // namespace ridgeline::cli
