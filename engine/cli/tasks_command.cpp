// `ridgeline tasks`: what is in a suite, one task whole, and the judge's proof of a task.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "benchmark_tasks/script_places.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/kernelbench_tasks.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/task_text.hpp"
#include "engine/cli/workers.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/signature.hpp"
#include "engine/suites/kernelbench/clone.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;

struct TasksOptions {
  std::string suite, launcher, levels, stub, device = "cpu";
  std::vector<std::string> tasks;
  double timeout = 300;
  bool json = false;
};

/// None unless the suite is a clone of KernelBench.
std::optional<KernelBenchOptions> kernelbench_options(const TasksOptions& options) {
  const auto clone = suites::kernelbench::clone_folder(options.suite);
  if (!clone) {
    if (!options.levels.empty()) throw BadInput("--levels: only a suite kernelbench:PATH has levels");
    return std::nullopt;
  }
  return KernelBenchOptions{*clone,         options.levels,  options.tasks,
                            options.device, options.timeout, options.json};
}

void list(const TasksOptions& options) {
  if (const auto clone = kernelbench_options(options)) return list_kernelbench(*clone);
  const auto suite = load_suite(options.suite);
  if (!options.json) {
    std::cout << task_list(suite);
    return;
  }
  json tasks = json::array();
  for (const auto& task : suite.tasks)
    tasks.push_back({{"name", task.name},
                     {"category", task.category},
                     {"difficulty", task.difficulty},
                     {"description", task.description},
                     {"hash", task.hash}});
  print_json("tasks list", {{"suite", suite.name}, {"tasks", tasks}});
}

/// What a native answer implements; a file of KernelBench is described by its oracle first.
void show_stub(const TasksOptions& options) {
  const auto language = from_name<Language>(options.stub);
  if (language != Language::cpp && language != Language::cuda)
    throw BadInput("--stub: '" + options.stub + "' is none of cpp, cuda");
  const auto& name = options.tasks.at(0);
  const auto clone = kernelbench_options(options);
  const auto task = clone ? KernelBenchTasks(clone->clone).task(name, "cpu")
                          : benchmark_tasks::resolve_task(load_suite(options.suite), name);
  const auto stub = kernel_stub(task, *language);
  if (options.json)
    print_json("tasks show", {{"task", task.name}, {"language", to_string(*language)}, {"stub", stub}});
  else
    std::cout << stub << '\n';
}

void show(const TasksOptions& options) {
  if (!options.stub.empty()) return show_stub(options);
  if (const auto clone = kernelbench_options(options)) return show_kernelbench(*clone);
  const auto task = benchmark_tasks::resolve_task(load_suite(options.suite), options.tasks.at(0));
  if (options.json)
    print_json("tasks show", {{"task", task}});
  else
    std::cout << task_text(task);
}

/// What checks of tasks say, each complaint with its place in the task's file.
class Proof {
 public:
  Proof(const std::vector<Task>& tasks, std::vector<std::filesystem::path> files, bool text)
      : tasks_(tasks), files_(std::move(files)), text_(text) {}

  void hear(const Task& task, const evaluation::CheckOutcome& outcome) {
    const auto& file = files_.at(static_cast<std::size_t>(&task - tasks_.data()));
    if (const auto* failed = std::get_if<protocol::Failed>(&outcome)) return refused(task, *failed, file);
    json items = json::array();
    std::string fault;
    for (const auto& item : std::get<protocol::Checked>(outcome).items) {
      const auto message = item.passed ? item.message : benchmark_tasks::placed(item.message, file);
      items.push_back({{"name", item.name}, {"passed", item.passed}, {"message", message}});
      if (!item.passed && fault.empty()) fault = message;
      if (text_)
        std::cout << fmt::format("{} {}: {}{}\n", item.passed ? "ok  " : "FAIL", task.name, item.name,
                                 message.empty() ? "" : ": " + message);
    }
    if (!fault.empty()) unsound_.push_back(fault);
    documents_.push_back({{"task", task.name}, {"passed", fault.empty()}, {"items", items}});
    if (text_) std::cout << std::flush;
  }

  const json& documents() const { return documents_; }
  bool passed() const { return unsound_.empty() && unchecked_.empty(); }

  /// Throws BadInput if a task is not sound, else MachineCannot if one could not be checked.
  void conclude() const {
    const auto told = [](const std::vector<std::string>& all) {
      return all.front() + (all.size() > 1 ? fmt::format("; and {} more tasks", all.size() - 1) : "");
    };
    if (!unsound_.empty()) throw BadInput(told(unsound_));
    if (!unchecked_.empty()) throw MachineCannot(told(unchecked_));
  }

 private:
  void refused(const Task& task, const protocol::Failed& failed, const std::filesystem::path& file) {
    const auto message = benchmark_tasks::placed(failed.message, file);
    (failed.kind == protocol::Failure::bad_request ? unsound_ : unchecked_).push_back(message);
    documents_.push_back(
        {{"task", task.name}, {"passed", false}, {"failure", to_string(failed.kind)}, {"message", message}});
    if (text_)
      std::cout << fmt::format("FAIL {}: {}: {}\n", task.name, to_string(failed.kind), message) << std::flush;
  }

  const std::vector<Task>& tasks_;
  std::vector<std::filesystem::path> files_;
  bool text_;
  std::vector<std::string> unsound_, unchecked_;  ///< the first complaint of each
  json documents_ = json::array();
};

void check(const TasksOptions& options, Exit& exit) {
  if (const auto clone = kernelbench_options(options)) return check_kernelbench(*clone, exit);
  auto suite = load_suite(options.suite);
  auto names = options.tasks.empty() ? suite.names() : options.tasks;
  std::vector<Task> tasks;
  std::vector<std::filesystem::path> files;
  for (const auto& name : names) {
    tasks.push_back(on_backend(benchmark_tasks::resolve_task(suite, name), "cpu"));  // where tasks are proven
    files.push_back(benchmark_tasks::file_of(suite, name));
  }
  Workers workers(options.launcher, {});
  Proof proof(tasks, std::move(files), !options.json);
  workers.check(tasks, [&](const Task& task, const evaluation::CheckOutcome& outcome) {
    proof.hear(task, outcome);
    std::cerr << fmt::format("{} of {} tasks checked\n", proof.documents().size(), tasks.size());
  });
  if (options.json) print_json("tasks check", {{"passed", proof.passed()}, {"tasks", proof.documents()}});
  proof.conclude();
}

}  // namespace

void add_tasks_command(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("tasks", "The suites of tasks");
  command->require_subcommand(1);
  const auto options = std::make_shared<TasksOptions>();
  const auto add = [&](const char* name, const char* about) {
    auto* one = command->add_subcommand(name, about);
    add_suite_option(*one, options->suite);
    one->add_option("--levels", options->levels, "Of a suite kernelbench:PATH (default: 1,2,3)")
        ->type_name("N,N");
    add_json_option(*one, options->json);
    return one;
  };
  add("list", "Every task in a line")->callback([options] { list(*options); });
  auto* shown = add("show", "One task whole");
  shown->add_option("TASK", options->tasks, "A task of the suite or a task file")->required()->expected(1);
  shown->add_option("--stub", options->stub,
                    "Only the function that a native answer implements: cpp or cuda");
  shown->callback([options] { show(*options); });
  auto* checked = add("check", "Prove tasks: the reference runs, wrong results fail, counts are sane");
  checked->add_option("TASK", options->tasks, "Tasks of the suite or task files (default: all)");
  checked->add_option("--timeout", options->timeout,
                      "Seconds a task of a suite kernelbench:PATH (default: 300)");
  checked->add_option("--device", options->device, "Where such a suite's tasks run: cpu or cuda:INDEX");
  add_launcher_option(*checked, options->launcher);
  checked->callback([options, &exit] { check(*options, exit); });
}

}  // namespace ridgeline::cli
