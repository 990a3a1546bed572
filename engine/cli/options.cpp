#include "engine/cli/options.hpp"

#include <CLI/CLI.hpp>

#include "engine/suites/registry.hpp"

namespace ridgeline::cli {

void add_json_option(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print one JSON document with its schema's version instead of text");
}

void add_suite_option(CLI::App& command, std::string& suite) {
  command
      .add_option("--suite", suite,
                  "A folder of task files, <Category>/<name>.yaml (default: ours); `tasks` and `evaluate` "
                  "also read " +
                      suites::schemes([](const suites::Profile&) { return true; }))
      ->type_name("DIR");
}

void add_launcher_option(CLI::App& command, std::string& launcher) {
  command
      .add_option("--launcher", launcher,
                  "Command line that starts the worker elsewhere (\"ssh node17 ridgeline-worker\")")
      ->type_name("COMMAND");
}

}  // namespace ridgeline::cli
