// `ridgeline evaluate`: one kernel and its verdict, or with --batch the door for trainers.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/cli/answer_source.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/score_submissions.hpp"
#include "engine/cli/verdict_text.hpp"
#include "engine/cli/workers.hpp"
#include "engine/core/byte_size.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/reward.hpp"
#include "engine/evaluation/compiled_reference.hpp"
#include "engine/evaluation/door.hpp"
#include "engine/suites/registry.hpp"

namespace ridgeline::cli {
namespace {

struct EvaluateOptions {
  std::string task, source, language, batch, suite, launcher, backend, fallback, torch_compile, device_memory;
  suites::OptionValues suite_options;  ///< options that suites add, by name; "" for an option not given
  protocol::EvaluateSettings settings;
  SubmissionOptions submissions;
  bool no_time = false, json = false;
};

/// Returns the language given, else the one that the file's extension names. `form` is that of the suite's
/// own answers: a .py file is a module there, and a Triton kernel elsewhere.
Language language_of(const EvaluateOptions& options, Form form) {
  if (!options.language.empty()) return enumerator<Language>(options.language, "--language");
  const auto extension = std::filesystem::path(options.source).extension();
  if (const auto language = language_of_file(extension.string(), form)) return *language;
  throw BadInput(options.source + ": no language is known by the extension '" + extension.string() +
                 "'; name it with --language (" + choices<Language>() + ")");
}

std::string read_source(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || std::filesystem::is_directory(path) || !(text << file.rdbuf()))
    throw BadInput(path + ": cannot be read, or is empty; SOURCE is a file that holds the kernel");
  return std::move(text).str();
}

/// Returns where candidates are judged: the language's only backend, else --backend, else the CPU. A batch
/// has no single language.
std::string backend_for(const EvaluateOptions& options, std::optional<Language> language) {
  const bool either = !language || traits(*language).backends.size() > 1;
  const std::string only = either ? "" : std::string(traits(*language).backends.front());
  if (!only.empty() && !options.backend.empty() && options.backend != only)
    throw BadInput("--backend " + options.backend + ": candidates in " + std::string(to_string(*language)) +
                   " run on '" + only + "' alone");
  if (!only.empty()) return only;
  return options.backend.empty() ? "cpu" : options.backend;
}

/// Returns PoolSettings::modules_on for a suite: the backend that modules of torch will run on; "" for none.
std::string modules_on(const suites::Suite& suite, const EvaluateOptions& options,
                       std::optional<Language> language) {
  return suite.profile().has_modules() ? backend_for(options, language) : "";
}

/// Makes the request of one evaluation: a kernel in a file, or the task's own module under torch.compile.
class SingleEvaluation {
 public:
  /// Throws BadInput for a wrong command line, before any process is started.
  explicit SingleEvaluation(const EvaluateOptions& options)
      : options_(options), suite_(suites::open(options.suite, options.suite_options)) {
    if (!options.torch_compile.empty())
      mode_ = enumerator<CompileMode>(options.torch_compile, "--torch-compile");
    const auto compiles = [](const suites::Profile& profile) {
      return profile.has(suites::Baseline::torch_compile);
    };
    if (mode_ && !compiles(suite_->profile()))
      throw BadInput("--torch-compile: is for modules; only tasks of a suite " + suites::schemes(compiles) +
                     " have one");
    language_ = mode_ ? Language::torch : language_of(options, suite_->profile().form);
    backend_ = backend_for(options, language_);
    suite_->find(options.task);
    if (!mode_) candidate_ = make_candidate(language_, read_source(options.source));
    // A suite that examines its files starts a process to describe a task; the others describe it at once.
    if (suite_->proof() == suites::Proof::suite)
      suite_->begin();
    else
      request_ = make_request();
  }

  Language language() const { return language_; }
  std::string modules_on() const { return cli::modules_on(*suite_, options_, language_); }
  suites::Suite& suite() const { return *suite_; }

  /// Returns the request; call once. A task that a process describes is described only now: the worker has
  /// started meanwhile, so that the two processes import torch, which takes seconds, side by side.
  evaluation::EvaluateRequest request() { return request_ ? std::move(*request_) : make_request(); }

 private:
  evaluation::EvaluateRequest make_request() const {
    const auto& name = options_.task;
    auto task =
        suite_->profile().has_modules()
            ? suite_->describe(name, backend_)
            : std::make_shared<const Task>(for_language(*suite_->describe(name, ""), language_, backend_));
    if (mode_) return evaluation::compiled_reference(std::move(task), *mode_, options_.settings);
    return {std::move(task), candidate_, options_.settings};
  }

  const EvaluateOptions& options_;
  std::unique_ptr<suites::Suite> suite_;
  std::optional<CompileMode> mode_;
  Language language_ = Language::torch;
  std::string backend_;
  Candidate candidate_;  ///< unless a mode is set
  std::optional<evaluation::EvaluateRequest> request_;
};

/// The worker's own arguments. What is wrong with a size is said before a worker starts.
std::vector<std::string> worker_arguments(const EvaluateOptions& options) {
  if (options.device_memory.empty()) return {};
  if (!byte_size(options.device_memory))
    throw BadInput("--device-memory: '" + options.device_memory + "' is no size; write it as 24GiB");
  return {"--device-memory", options.device_memory};
}

/// Throws BadInput if the judge rejected the task itself: its author has to repair it, and the machine is
/// fine.
void refuse_rejected_task(const Verdict& verdict, suites::Suite& suite, const std::string& task) {
  const auto stage = verdict.failed_at();
  if (stage && verdict.at(*stage).reason == Reason::task_rejected)
    throw BadInput(suite.placed(task, verdict.at(*stage).detail));
}

void evaluate_single(const EvaluateOptions& options, Exit& exit) {
  SingleEvaluation evaluation(options);
  Workers workers(options.launcher,
                  {{std::string(to_string(evaluation.language()))}, options.settings.isolation},
                  evaluation.modules_on(), worker_arguments(options));
  evaluation::EvaluateRequest request;
  workers.with_default_signals([&] { request = evaluation.request(); });
  const auto& task = *request.task;
  const auto& candidate = request.candidate;
  const auto verdict = workers.evaluate(request);
  // A cheat may well be correct by its outputs.
  const bool correct = verdict.correct() && !verdict.cheated;
  exit.code = correct ? 0 : verdict.judged() ? 1 : 3;
  if (!options.json) {
    refuse_rejected_task(verdict, evaluation.suite(), options.task);
    std::cout << verdict_text(verdict, candidate, task) << std::flush;
    return;
  }
  const nlohmann::json nothing = nullptr;
  const auto reward = ridgeline::reward(verdict);
  print_json("evaluate", {{"task", task.name},
                          {"language", to_string(candidate.language)},
                          {"judged", verdict.judged()},
                          {"retryable", verdict.retryable()},
                          {"correct", verdict.judged() ? nlohmann::json(correct) : nothing},
                          {"speedup", verdict.scorable() ? nlohmann::json(verdict.speedup()) : nothing},
                          {"reward", reward ? nlohmann::json(*reward) : nothing},
                          {"reward_formula", reward_formula},
                          {"verdict", verdict}});
  refuse_rejected_task(verdict, evaluation.suite(), options.task);  // after the document: a reader wants both
}

/// Owns the descriptor that lines are read from. The door reads it asynchronously, which std::istream cannot.
class Input {
 public:
  explicit Input(const std::string& path)
      : fd_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) throw BadInput("--batch " + path + ": cannot be opened; give '-' to read stdin");
    if (std::error_code ignored; path != "-" && std::filesystem::is_directory(path, ignored))
      throw BadInput("--batch " + path + ": is a folder; give a file of JSON lines, or '-' to read stdin");
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

void evaluate_batch(const EvaluateOptions& options, Exit& exit) {
  const std::shared_ptr<suites::Suite> suite = suites::open(options.suite, options.suite_options);
  const auto modules = modules_on(*suite, options, std::nullopt);
  // A suite of modules describes tasks for one backend. Other tasks are described for all backends, and the
  // door chooses the cases that suit a line's language.
  const auto lookup = [suite, modules](const std::string& name) { return suite->describe(name, modules); };
  if (suite->proof() == suites::Proof::suite)
    suite->begin();
  else
    suite->list();  // a folder that cannot be read ends the command, not each line
  const Input input(options.batch);
  Workers workers(options.launcher, {{}, options.settings.isolation}, modules, worker_arguments(options));
  evaluation::Door door(
      workers.io(), workers.pool(), lookup,
      {.evaluate = options.settings, .read_source = kernel_in, .backend = backend_for(options, std::nullopt)},
      input.fd(), STDOUT_FILENO);
  std::cerr << "ready: one JSON line a kernel, {\"id\", \"task\", \"language\", \"source\"}\n";
  std::optional<evaluation::DoorCount> count;
  door.run([&](evaluation::DoorCount final_count) { count = std::move(final_count); });
  workers.run_until([&] { return count.has_value(); });
  std::cerr << count->verdicts << " verdicts, " << count->errors << " bad lines\n";
  if (count->nothing_but_errors()) exit.code = 2;
  if (!count->broken.empty()) throw MachineCannot("ended before its input did: " + count->broken);
}

void evaluate_submissions(const EvaluateOptions& options, Exit& exit) {
  if (options.task.empty() || !options.source.empty() || !options.batch.empty())
    throw BadInput("--out wants one file, of JSON lines {\"predict\", \"file\"}, in the place of TASK");
  const auto& settings = options.settings;
  std::vector<std::pair<std::string, bool>> given = {
      {"--language", !options.language.empty()},
      {"--launcher", !options.launcher.empty()},
      {"--backend", !options.backend.empty()},
      {"--fallback", !options.fallback.empty()},
      {"--torch-compile", !options.torch_compile.empty()},
      {"--device-memory", !options.device_memory.empty()},
      {"--precision-goal", settings.precision_goal.has_value()},
      {"--no-counters", !settings.counters},
      {"--all-counters", settings.all_counters},
      {"--no-torch-headers", !settings.torch_headers},
      {"--energy", settings.energy},
      {"--final", settings.final_cases}};
  for (const auto& [name, value] : options.suite_options) given.emplace_back(name, !value.empty());
  for (const auto& [name, is_given] : given)
    if (is_given)
      throw BadInput(name + " does not go with --out, which scores by KernelBench-X's rule: leave it out");
  score_submissions(options.suite, options.task, options.submissions, options.settings.isolation,
                    options.settings.time, options.json, exit);
}

}  // namespace

void add_evaluate_command(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("evaluate", "Judge one kernel, or with --batch many");
  const auto options = std::make_shared<EvaluateOptions>();
  auto* task = command->add_option("TASK", options->task, "A task of the suite (\"softmax\") or a task file");
  auto* source = command->add_option("SOURCE", options->source, "The file that holds the kernel");
  auto* batch =
      command
          ->add_option("--batch", options->batch,
                       "Stay warm: read JSON lines from FILE ('-' is stdin), write each verdict as it ends; "
                       "\"task\" names a task of the suite or a task file")
          ->type_name("FILE");
  task->excludes(batch);
  source->excludes(batch);
  auto* language = command->add_option("--language", options->language,
                                       choices<Language>() + " (default: by SOURCE's extension)");
  command
      ->add_option("--backend", options->backend,
                   "Where candidates are judged whose language runs on both: cpu or cuda (default: cpu)")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_option("--isolation", options->settings.isolation,
                      "The least isolation accepted: strict, standard or none (default: standard)");
  command->add_flag("--no-time", options->no_time, "Stop after correctness");
  command
      ->add_option("--precision-goal", options->settings.precision_goal,
                   "Stop timing once the time is known within this part of itself, 0.05 for a reward "
                   "(default: some 0.02)")
      ->check(CLI::Range(protocol::least_precision_goal, protocol::most_precision_goal));
  auto* no_counters =
      command->add_flag("!--no-counters", options->settings.counters,
                        "Read no hardware counters: faster, and the roofline stands on analytic counts");
  command
      ->add_flag("--all-counters", options->settings.all_counters,
                 "Read also those that no diagnosis uses: up to four passes more")
      ->excludes(no_counters);
  command->add_flag(
      "!--no-torch-headers", options->settings.torch_headers,
      "Inline C++ of a torch answer that needs torch's own headers, a minute's work, does not build");
  command->add_flag("--energy", options->settings.energy,
                    "Measure the energy of a call, where the device counts it: some 1.5 s a timed case");
  command->add_option("--fallback", options->fallback,
                      choices<FallbackPolicy>() +
                          " modules that compute by torch's operators (default: allow, and note which)");
  auto* torch_compile = command->add_option(
      "--torch-compile", options->torch_compile,
      "In SOURCE's place, the task's own module compiled by torch.compile in this mode: " +
          choices<CompileMode>());
  torch_compile->excludes(source)->excludes(batch)->excludes(language);
  command
      ->add_option("--device-memory", options->device_memory,
                   "Of a GPU's memory, what judging may take, as 24GiB: as if it had no more (default: all)")
      ->type_name("SIZE");
  command->add_flag("--final", options->settings.final_cases, "Also run the final cases, which do not gate");
  add_submission_options(*command, options->submissions);
  add_suite_option(*command, options->suite);
  for (const auto* kind : suites::kinds())
    for (const auto& option : kind->profile().options)
      if (option.commands == suites::OptionOf::tasks_and_answers)
        command->add_option(option.name, options->suite_options[option.name], option.help)
            ->type_name(option.value);
  add_launcher_option(*command, options->launcher);
  add_json_option(*command, options->json);
  command->callback([options, &exit] {
    options->settings.time = !options->no_time;
    if (!options->fallback.empty())
      options->settings.fallback = enumerator<FallbackPolicy>(options->fallback, "--fallback");
    if (!options->submissions.out.empty()) return evaluate_submissions(*options, exit);
    if (!options->batch.empty()) return evaluate_batch(*options, exit);
    if (options->task.empty() || (options->source.empty() && options->torch_compile.empty()))
      throw BadInput("evaluate wants TASK and SOURCE, or TASK and --torch-compile MODE, or --batch FILE");
    evaluate_single(*options, exit);
  });
}

}  // namespace ridgeline::cli
