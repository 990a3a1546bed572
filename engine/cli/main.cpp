// `ridgeline`: the engine's one program. Exit status: 0 done (for `evaluate`: correct), 1 judged not correct
// or failed, 2 bad input, 3 this machine cannot, 4 paused (an outage, a refused key, a cap) and resumable,
// 130 interrupted and resumable.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "engine/cli/commands.hpp"
#include "engine/cli/error_text.hpp"
#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/core/version.hpp"

namespace {

/// CLI11 says of an unknown command only that one is required.
void check_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* one : app.get_subcommands(nullptr)) names.push_back(one->get_name());
  if (word.starts_with('-') || std::ranges::find(names, word) != names.end()) return;
  throw ridgeline::BadInput("there is no command '" + word + "'" + ridgeline::suggestion(word, names));
}

int run(int count, char** words) {
  using namespace ridgeline::cli;
  CLI::App app("Ridgeline: refines kernels with language models, and measures what is true of them.",
               "ridgeline");
  app.set_version_flag("--version", "ridgeline " + std::string(ridgeline::version));
  app.require_subcommand(1);

  Exit exit;
  add_run_command(app);
  add_evaluate_command(app, exit);
  add_tasks_command(app, exit);
  add_export_command(app, exit);
  add_compare_command(app, exit);
  add_show_command(app, exit);
  add_serve_command(app);
  add_record_command(app);
  add_doctor_command(app, exit);
  if (count > 1) check_command(app, words[1]);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    // --help and --version come as "errors" with status 0; all others are the user's.
    if (error.get_exit_code() == 0) return app.exit(error);
    const auto chosen = app.get_subcommands();
    const auto command = chosen.empty() ? "" : " " + chosen.front()->get_name();
    throw ridgeline::BadInput(std::string(error.what()) + "; `ridgeline" + command +
                              " --help` says what is valid");
  }
  return exit.code;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const ridgeline::Error& error) {
    std::cerr << ridgeline::cli::error_text(error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    std::cerr << ridgeline::cli::error_text(error.what());
    return ridgeline::cli::exit_code_of(error);
  }
}
