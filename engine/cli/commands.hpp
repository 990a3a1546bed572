// Declares the commands of `ridgeline`, whose bodies lie in a file each. Each function adds its command to
// the app; the command's work runs as a callback while the app parses the command line.
//
// Results go to stdout, progress and notes to stderr. A command throws ridgeline::Error if the input or the
// machine is at fault (main.cpp turns it into the exit status), and sets `Exit` for its result.
#pragma once

namespace CLI {
class App;
}

namespace ridgeline::cli {

/// Holds the exit status if nothing is thrown: 0 done or correct, 1 judged not correct, 2 every line of a
/// batch was bad, 3 not judged because the machine failed.
struct Exit {
  int code = 0;
};

// `app` and `exit` must outlive the parsing.
void add_run_command(CLI::App& app);
void add_evaluate_command(CLI::App& app, Exit& exit);
void add_tasks_command(CLI::App& app, Exit& exit);
void add_export_command(CLI::App& app, Exit& exit);
void add_compare_command(CLI::App& app, Exit& exit);
void add_show_command(CLI::App& app, Exit& exit);
void add_serve_command(CLI::App& app);
void add_record_command(CLI::App& app);
void add_doctor_command(CLI::App& app, Exit& exit);

}  // namespace ridgeline::cli
