// `ridgeline`: the engine's one program. Exit status: 0 done (for `evaluate`: correct), 1 judged not correct
// or failed, 2 bad input, 3 this machine cannot, 130 interrupted and resumable.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "engine/cli/commands.hpp"
#include "engine/core/error.hpp"

namespace {

constexpr int bad_input = 2;

int run(int count, char** words) {
  using namespace ridgeline::cli;
  CLI::App app("Ridgeline: refines kernels with language models, and measures what is true of them.",
               "ridgeline");
  app.set_version_flag("--version", "ridgeline " RIDGELINE_VERSION);
  app.require_subcommand(1);

  Exit exit;
  add_run_command(app, exit);
  add_evaluate_command(app, exit);
  add_tasks_command(app, exit);
  add_export_command(app, exit);
  add_compare_command(app, exit);
  add_show_command(app, exit);
  add_doctor_command(app, exit);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    // --help and --version come as "errors" with status 0; all others are the user's.
    return app.exit(error) == 0 ? 0 : bad_input;
  }
  return exit.code;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const ridgeline::Error& error) {
    std::cerr << "ridgeline: " << error.what() << '\n';
    return error.exit_code();
  } catch (const std::exception& error) {
    std::cerr << "ridgeline: " << error.what() << '\n';
    return 1;
  }
}
