#include "engine/cli/score_submissions.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "engine/cli/interrupted.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/submissions/scoring.hpp"

namespace ridgeline::cli {
namespace {

constexpr std::string_view kScheme = "kernelbenchx:";

std::atomic<bool> submissions_stopped = false;  // set by a signal handler
static_assert(std::atomic<bool>::is_always_lock_free);

/// Ctrl-C and SIGTERM end the run between two looks at its processes, so that these end too.
class StopsOnSignals {
 public:
  StopsOnSignals() {
    struct sigaction action{};
    action.sa_handler = [](int) { submissions_stopped = true; };
    for (std::size_t index = 0; index < signals.size(); ++index)
      ::sigaction(signals[index], &action, &before_[index]);
  }
  ~StopsOnSignals() {
    for (std::size_t index = 0; index < signals.size(); ++index)
      ::sigaction(signals[index], &before_[index], nullptr);
  }
  StopsOnSignals(const StopsOnSignals&) = delete;  // the handlers before are put back once
  StopsOnSignals& operator=(const StopsOnSignals&) = delete;

 private:
  static constexpr std::array<int, 2> signals = {SIGINT, SIGTERM};
  std::array<struct sigaction, 2> before_{};
};

std::string share_line(const char* what, const nlohmann::json& share) {
  return fmt::format("{:<12} {:>4} of {} tasks, {:.1f} % (95 %: {:.1f} to {:.1f})\n", what,
                     share.at("passed").get<int>(), share.at("of").get<int>(),
                     share.at("share").get<double>() * 100, share.at("interval").at(0).get<double>() * 100,
                     share.at("interval").at(1).get<double>() * 100);
}

std::string files_line(const char* what, const nlohmann::json& files) {
  if (files.empty()) return "";
  std::string text = fmt::format("{}:", what);
  for (const auto& file : files) text += " " + file.get<std::string>();
  return text + "\n";
}

std::string summary_text(const nlohmann::json& summary, const std::string& out) {
  const auto& own = summary.at("ridgeline");
  const auto device = own.at("device").get<std::string>();
  auto text = fmt::format(
      "device: {}\nof {} submitted: call {}, execution {}, performance {} ({} %, {} %, {} %)\n", device,
      summary.at("total").get<int>(), summary.at("call_pass").get<int>(), summary.at("exe_pass").get<int>(),
      summary.at("perf_pass").get<int>(), summary.at("call_rate").get<double>(),
      summary.at("exe_rate").get<double>(), summary.at("perf_rate").get<double>());
  text += share_line("call", own.at("call")) + share_line("execution", own.at("execution"));
  if (own.contains("performance")) {
    text += share_line("performance", own.at("performance"));
    text += fmt::format(
        "speed-up     geometric mean {:.3f} over {} tasks; KernelBench-X's scripts: {} (global), {} (mean)\n",
        own.at("speedup").at("geometric_mean").get<double>(), own.at("speedup").at("tasks").get<int>(),
        summary.at("avg_speedup_global").get<double>(), summary.at("avg_speedup_per_task").get<double>());
    for (const auto& one : own.at("left_out"))
      text += fmt::format("{}: {}\n", one.at("file").get<std::string>(), one.at("why").get<std::string>());
  }
  text += files_line("isolation changes the verdict", own.at("isolation_changed"));
  text += files_line("timed out", own.at("timed_out"));
  text += files_line("outside the metadata", own.at("outside_metadata"));
  return text + fmt::format("{}/metrics.json, {}/summary.json\n", out, out);
}

std::string golden_machine(const std::string& given) {
  if (!given.empty()) return given;
  const char* named = std::getenv("KERNELBENCHX_GOLDEN_MACHINE");  // as KernelBench-X's scripts
  return named && *named ? named : submissions::default_golden_machine;
}

}  // namespace

void add_submission_options(CLI::App& command, SubmissionOptions& options) {
  auto* out =
      command
          .add_option(
              "--out", options.out,
              "Score a whole file by KernelBench-X's rule: with --suite kernelbenchx:PATH, TASK is a file of "
              "JSON lines {\"predict\", \"file\"}; metrics.json and summary.json go to DIR, and a second "
              "run goes on")
          ->type_name("DIR");
  command
      .add_option(
          "--device", options.device,
          "With --out: cuda, cuda:N, or cpu, which takes 'cuda' for the CPU, for trying (default: cuda)")
      ->needs(out);
  command
      .add_option("--golden", options.golden,
                  "With --out: the machine whose reference times count, or a folder of them (default: "
                  "$KERNELBENCHX_GOLDEN_MACHINE, else 5090)")
      ->type_name("MACHINE")
      ->needs(out);
  command
      .add_option("--jobs", options.jobs, "With --out: submissions judged side by side (default: one a core)")
      ->check(CLI::Range(1, 256))
      ->needs(out);
  command
      .add_option("--stage-timeout", options.stage_timeout,
                  "With --out: seconds a stage may take (default: 300)")
      ->check(CLI::Range(1.0, 1e6))
      ->needs(out);
  command
      .add_option("--bench-timeout", options.bench_timeout,
                  "With --out: seconds a performance script may take (default: 180)")
      ->check(CLI::Range(1.0, 1e6))
      ->needs(out);
}

void score_submissions(const std::string& suite, const std::string& predictions,
                       const SubmissionOptions& options, const std::string& isolation, bool time,
                       bool as_json, Exit& exit) {
  if (!suite.starts_with(kScheme))
    throw BadInput(
        "--out scores a file of submissions to KernelBench-X: give --suite kernelbenchx:PATH, the clone");
  submissions::ScoringSettings settings;
  settings.clone = suite.substr(kScheme.size());
  settings.predictions = predictions;
  settings.out = options.out;
  settings.device = options.device;
  settings.golden = golden_machine(options.golden);
  settings.lanes = options.jobs;
  settings.time = time;
  settings.limits = {.stage = options.stage_timeout, .bench = options.bench_timeout};
  if (!isolation.empty()) settings.least = enumerator<sandbox::Isolation>(isolation, "--isolation");
  settings.stop = [] { return submissions_stopped.load(); };
  settings.tell = [](const std::string& line) { std::cerr << line << "\n"; };
  submissions_stopped = false;
  submissions::Scores scores;
  {
    const StopsOnSignals signals;
    scores = submissions::score(settings);
  }
  if (scores.stopped)
    throw Interrupted("interrupted; what was scored is kept in " + options.out +
                      ", and the same command goes on");
  exit.code = 0;
  if (as_json)
    print_json("evaluate", scores.summary);
  else
    std::cout << summary_text(scores.summary, options.out) << std::flush;
}

}  // namespace ridgeline::cli
