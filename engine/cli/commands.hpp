// The commands of `ridgeline`, one file each. A command adds itself to the app; its work runs while the app
// parses.
//
// Results go to stdout, progress and notes to stderr. A command throws ridgeline::Error for what is wrong
// with the input or the machine (main.cpp turns it into the exit status) and sets `Exit` for what it found
// out.
#pragma once

namespace CLI {
class App;
}

namespace ridgeline::cli {

/// What the program returns when nothing was thrown: 0 done or correct, 1 judged not correct, 2 a batch whose
/// lines were all bad, 3 not judged, since the machine failed, 130 interrupted.
struct Exit {
  int code = 0;
};

// `app` and `exit` outlive the parsing.
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
