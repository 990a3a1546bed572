// `ridgeline tasks` over a clone of KernelBench (`--suite kernelbench:PATH`).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cli/commands.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::cli {

struct KernelBenchOptions {
  std::filesystem::path clone;
  std::string levels;              ///< "1,2"; "": those that need no network
  std::vector<std::string> tasks;  ///< names or globs; empty: all of the levels
  std::string device = "cpu";
  double timeout = 300;  ///< seconds a task
  bool json = false;
};

/// The task that `name` means, as any task is judged, on `backend`. Asks an oracle process what the file is.
/// Throws BadInput where the name means none or several, or the file cannot be run or given to a kernel.
Task kernelbench_task(const std::filesystem::path& clone, const std::string& name, std::string_view backend);

void list_kernelbench(const KernelBenchOptions& options);
void show_kernelbench(const KernelBenchOptions& options);

/// Exit status: 1 if a task is broken or degenerate, else 3 if one does not fit this machine, else 0.
void check_kernelbench(const KernelBenchOptions& options, Exit& exit);

}  // namespace ridgeline::cli
