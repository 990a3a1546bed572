// `ridgeline evaluate`: one kernel and its verdict, or with --batch the door for trainers.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "benchmark_tasks/script_places.hpp"
#include "engine/cli/answer_source.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/kernelbench_tasks.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/verdict_text.hpp"
#include "engine/cli/workers.hpp"
#include "engine/core/codec.hpp"
#include "engine/evaluation/compiled_reference.hpp"
#include "engine/evaluation/door.hpp"
#include "engine/evaluation/reward.hpp"
#include "engine/suites/kernelbench/clone.hpp"

namespace ridgeline::cli {
namespace {

struct EvaluateOptions {
  std::string task, source, language, batch, suite, launcher, backend, fallback, torch_compile;
  protocol::EvaluateSettings settings;
  bool no_time = false, json = false;
};

/// By the extension where `--language` is not given.
Language language_of(const EvaluateOptions& options) {
  if (!options.language.empty()) return named<Language>(options.language, "--language");
  const auto extension = std::filesystem::path(options.source).extension();
  const auto wanted = suites::kernelbench::clone_folder(options.suite) ? Form::module : Form::kernel;
  if (const auto language = language_of_file(extension.string(), wanted)) return *language;
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

/// Where candidates are judged whose language runs on several backends: the CPU, unless --backend says more.
std::string backend_for(const EvaluateOptions& options, std::optional<Language> language) {
  const bool either = !language || traits(*language).backends.size() > 1;
  const std::string only = either ? "" : std::string(traits(*language).backends.front());
  if (!only.empty() && !options.backend.empty() && options.backend != only)
    throw BadInput("--backend " + options.backend + ": candidates in " + std::string(to_string(*language)) +
                   " run on '" + only + "' alone");
  if (!only.empty()) return only;
  return options.backend.empty() ? "cpu" : options.backend;
}

Task native_task(const EvaluateOptions& options, Language language) {
  return for_language(benchmark_tasks::resolve_task(load_suite(options.suite), options.task), language,
                      backend_for(options, language));
}

/// One task's kernel in a file, or its own module under torch.compile. What the command line says wrong is
/// told before anything is started.
class OneRequest {
 public:
  explicit OneRequest(const EvaluateOptions& options) : options_(options) {
    if (!options.torch_compile.empty()) mode_ = named<CompileMode>(options.torch_compile, "--torch-compile");
    language_ = mode_ ? Language::torch : language_of(options);
    std::optional<Task> native;
    if (const auto folder = suites::kernelbench::clone_folder(options.suite)) {
      clone_.emplace(*folder);
      clone_->file(options.task);
      modules_on_ = backend_for(options, language_);
    } else {
      native = native_task(options, language_);
    }
    if (!mode_) candidate_ = make_candidate(language_, read_source(options.source));
    if (native) request_ = on(std::move(*native));
    if (clone_) clone_->begin();
  }

  Language language() const { return language_; }
  /// Of PoolSettings.
  const std::string& modules_on() const { return modules_on_; }

  /// A clone's task is described here: its interpreter and those of the worker, started by then, import torch
  /// beside each other.
  evaluation::EvaluateRequest request() {
    return clone_ ? on(clone_->task(options_.task, modules_on_)) : std::move(*request_);
  }

 private:
  evaluation::EvaluateRequest on(Task found) const {
    const auto task = std::make_shared<const Task>(std::move(found));
    if (mode_) return evaluation::compiled_reference(task, *mode_, options_.settings);
    return {task, candidate_, options_.settings};
  }

  const EvaluateOptions& options_;
  std::optional<CompileMode> mode_;
  Language language_ = Language::torch;
  Candidate candidate_;  ///< where there is no mode
  std::optional<KernelBenchTasks> clone_;
  std::optional<evaluation::EvaluateRequest> request_;  ///< on a task of ours
  std::string modules_on_;
};

/// A task that no candidate can be judged by is its author's to mend, and no fault of the machine.
void must_be_sound(const Verdict& verdict, const EvaluateOptions& options) {
  const auto stage = verdict.failed_at();
  if (!stage || verdict.at(*stage).reason != Reason::task_rejected) return;
  const auto& why = verdict.at(*stage).detail;
  if (suites::kernelbench::clone_folder(options.suite)) throw BadInput(why);
  throw BadInput(
      benchmark_tasks::placed(why, benchmark_tasks::file_of(load_suite(options.suite), options.task)));
}

void evaluate_one(const EvaluateOptions& options, Exit& exit) {
  OneRequest one(options);
  Workers workers(options.launcher, {{std::string(to_string(one.language()))}, options.settings.isolation},
                  one.modules_on());
  evaluation::EvaluateRequest request;
  workers.with_default_signals([&] { request = one.request(); });
  const auto& task = *request.task;
  const auto& candidate = request.candidate;
  const auto verdict = workers.evaluate(request);
  const bool correct = verdict.correct() && !verdict.cheated;
  exit.code = correct ? 0 : verdict.judged() ? 1 : 3;
  if (!options.json) {
    must_be_sound(verdict, options);
    std::cout << verdict_text(verdict, candidate, task) << std::flush;
    return;
  }
  const nlohmann::json nothing = nullptr;
  const auto reward = evaluation::reward(verdict);
  print_json("evaluate", {{"task", task.name},
                          {"language", to_string(candidate.language)},
                          {"judged", verdict.judged()},
                          {"retryable", verdict.retryable()},
                          {"correct", verdict.judged() ? nlohmann::json(correct) : nothing},
                          {"speedup", verdict.scorable() ? nlohmann::json(verdict.speedup()) : nothing},
                          {"reward", reward ? nlohmann::json(*reward) : nothing},
                          {"reward_formula", evaluation::reward_formula},
                          {"verdict", verdict}});
  must_be_sound(verdict, options);
}

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

using Lookup = std::function<std::shared_ptr<const Task>(const std::string&)>;

/// Of a suite of ours: a file is read anew at each request, so that an edited one counts at once. Of a clone
/// of KernelBench: described at the first request, and kept.
Lookup task_lookup(const EvaluateOptions& options) {
  if (const auto clone = suites::kernelbench::clone_folder(options.suite)) {
    const auto backend = backend_for(options, std::nullopt);
    const auto tasks = std::make_shared<KernelBenchTasks>(*clone);
    tasks->begin();
    const auto known = std::make_shared<std::map<std::string, std::shared_ptr<const Task>>>();
    return [tasks, known, backend](const std::string& name) {
      auto& task = (*known)[name];
      if (!task) task = std::make_shared<const Task>(tasks->task(name, backend));
      return task;
    };
  }
  const auto suite = std::make_shared<const benchmark_tasks::Suite>(load_suite(options.suite));
  return [suite](const std::string& name_or_path) -> std::shared_ptr<const Task> {
    if (const auto* task = suite->find(name_or_path)) return std::shared_ptr<const Task>(suite, task);
    return std::make_shared<const Task>(benchmark_tasks::resolve_task(*suite, name_or_path));
  };
}

void evaluate_batch(const EvaluateOptions& options, Exit& exit) {
  const auto lookup = task_lookup(options);
  const Input input(options.batch);
  const bool modules = suites::kernelbench::clone_folder(options.suite).has_value();
  Workers workers(options.launcher, {{}, options.settings.isolation},
                  modules ? backend_for(options, std::nullopt) : "");
  evaluation::Door door(workers.io(), workers.pool(), lookup,
                        {.evaluate = options.settings, .read_source = kernel_in}, input.fd(), STDOUT_FILENO);
  std::cerr << "ready: one JSON line a kernel, {\"id\", \"task\", \"language\", \"source\"}\n";
  std::optional<evaluation::DoorCount> count;
  door.run([&](evaluation::DoorCount told) { count = std::move(told); });
  workers.run_until([&] { return count.has_value(); });
  std::cerr << count->verdicts << " verdicts, " << count->errors << " bad lines\n";
  if (count->nothing_but_errors()) exit.code = 2;
  if (!count->broken.empty()) throw MachineCannot("ended before its input did: " + count->broken);
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
                   "Where tasks of a suite kernelbench:PATH are judged: cpu or cuda (default: that of the "
                   "language, and cpu for torch)")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command->add_option("--isolation", options->settings.isolation,
                      "The least isolation accepted: strict, standard or none (default: standard)");
  command->add_flag("--no-time", options->no_time, "Stop after correctness");
  command->add_flag("!--no-counters", options->settings.counters,
                    "Read no hardware counters: faster, and the roofline stands on analytic counts");
  command->add_flag(
      "!--no-torch-headers", options->settings.torch_headers,
      "Inline C++ of a torch answer that needs torch's own headers, a minute's work, does not build");
  command->add_flag("--energy", options->settings.energy,
                    "Measure the energy of a call, where the device counts it: some 1.5 s a timed case");
  command->add_option(
      "--fallback", options->fallback,
      choices<Fallback>() + " modules that compute by torch's operators (default: allow, and note which)");
  auto* torch_compile = command->add_option(
      "--torch-compile", options->torch_compile,
      "In SOURCE's place, the task's own module compiled by torch.compile in this mode: " +
          choices<CompileMode>());
  torch_compile->excludes(source)->excludes(batch)->excludes(language);
  command->add_flag("--final", options->settings.final_cases, "Also run the final cases, which do not gate");
  add_suite_option(*command, options->suite);
  add_launcher_option(*command, options->launcher);
  add_json_option(*command, options->json);
  command->callback([options, &exit] {
    options->settings.time = !options->no_time;
    if (!options->fallback.empty())
      options->settings.fallback = named<Fallback>(options->fallback, "--fallback");
    if (!options->batch.empty()) return evaluate_batch(*options, exit);
    if (options->task.empty() || (options->source.empty() && options->torch_compile.empty()))
      throw BadInput("evaluate wants TASK and SOURCE, or TASK and --torch-compile MODE, or --batch FILE");
    evaluate_one(*options, exit);
  });
}

}  // namespace ridgeline::cli
