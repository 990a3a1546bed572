#include "engine/cli/options.hpp"

#include <CLI/CLI.hpp>

#include "benchmark_tasks/suite_folder.hpp"

namespace ridgeline::cli {

benchmark_tasks::Suite load_suite(const std::string& folder) {
  return benchmark_tasks::load_native(folder.empty() ? benchmark_tasks::default_suite_folder()
                                                     : std::filesystem::path(folder));
}

void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print one JSON document with its schema's version instead of text");
}

void add_suite_option(CLI::App& command, std::string& folder) {
  command
      .add_option(
          "--suite", folder,
          "A folder of task files, <Category>/<name>.yaml (default: ours); `tasks` and `evaluate` also read "
          "kernelbench:PATH")
      ->type_name("DIR");
}

void add_launcher_option(CLI::App& command, std::string& launcher) {
  command
      .add_option("--launcher", launcher,
                  "Command line that starts the worker elsewhere (\"ssh node17 ridgeline-worker\")")
      ->type_name("COMMAND");
}

}  // namespace ridgeline::cli
