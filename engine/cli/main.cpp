// The program `ridgeline`: reads the command line, runs one command and turns errors into exit statuses.
//
//   0    done; for `evaluate`: the kernel is correct
//   1    the kernel was judged and is not correct, or the command failed
//   2    bad input
//   3    this machine lacks something that the command needs
//   4    paused by an outage, a refused key or a cap; the same command goes on
//   130  interrupted; the same command goes on
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

/// Refuses an unknown command with the nearest name. CLI11 would say only that a command is required.
void check_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
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
    // CLI11 throws for --help and --version too, with status 0. Every other parse error is bad input.
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
