// `ridgeline tasks`: what is in a suite, one task whole, and the proof that a task can be judged.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/task_text.hpp"
#include "engine/cli/workers.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/signature.hpp"
#include "engine/suites/registry.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;

struct TasksOptions {
  std::string suite, launcher, stub;
  suites::OptionValues suite_options;  ///< options that suites add, by name; "" for an option not given
  std::vector<std::string> tasks;
  bool json = false;
};

std::unique_ptr<suites::Suite> suite_of(const TasksOptions& options) {
  return suites::open(options.suite, options.suite_options);
}

void list(const TasksOptions& options) {
  const auto listing = suite_of(options)->listing();
  if (options.json) return print_json("tasks list", {{"suite", listing.suite}, {"tasks", listing.documents}});
  std::cout << listing_text(listing);
}

/// Lists the languages that a kernel can be written in, as `--stub` takes them.
std::string stub_languages() {
  std::string names;
  for (const auto& language : languages_known)
    if (language.answers(Form::kernel))
      names += (names.empty() ? "" : ", ") + std::string(to_string(language.language));
  return names;
}

/// Prints the function that a kernel for the task implements. The suite may have to run the task's file to
/// know it.
void show_stub(const TasksOptions& options) {
  const auto language = from_name<Language>(options.stub);
  if (!language || !traits(*language).answers(Form::kernel))
    throw BadInput("--stub: '" + options.stub + "' is none of " + stub_languages());
  const auto suite = suite_of(options);
  // A suite of modules describes a task for one device; the stub is the same for all of them.
  const auto task = suite->describe(options.tasks.at(0), suite->profile().has_modules() ? "cpu" : "");
  const auto stub = kernel_stub(*task, *language);
  if (options.json)
    print_json("tasks show", {{"task", task->name}, {"language", to_string(*language)}, {"stub", stub}});
  else
    std::cout << stub << '\n';
}

void show(const TasksOptions& options) {
  if (!options.stub.empty()) return show_stub(options);
  const auto shown = suite_of(options)->show(options.tasks.at(0));
  if (const auto* task = std::get_if<Task>(&shown)) {
    if (options.json) return print_json("tasks show", {{"task", *task}});
    std::cout << task_text(*task);
    return;
  }
  json documents = json::array();
  for (const auto& file : std::get<std::vector<suites::SourceFile>>(shown)) {
    documents.push_back(file.document);
    if (!options.json) std::cout << fmt::format("# {}\n{}\n", file.path.string(), file.text);
  }
  if (options.json) print_json("tasks show", {{"tasks", documents}});
}

void check(const TasksOptions& options, Exit& exit) {
  const auto suite = suite_of(options);
  // The suite calls this if it needs a worker: a suite that proves its tasks itself starts none.
  const suites::Prove prove = [&](const std::vector<Task>& tasks, const suites::OnProof& hear) {
    Workers workers(options.launcher, {});
    workers.check(tasks, hear);
  };
  json documents = json::array();
  const auto summary = suite->check(options.tasks, prove, [&](const suites::CheckedTask& checked) {
    documents.push_back(checked.document);
    if (!options.json) std::cout << checked.text << std::flush;
    std::cerr << fmt::format("{} of {} tasks checked\n", documents.size(), checked.total);
  });
  if (options.json) {
    json document{{"passed", summary.status == 0}, {"tasks", std::move(documents)}};
    document.update(summary.members);
    print_json("tasks check", std::move(document));
  } else if (!summary.text.empty()) {
    std::cout << summary.text << '\n';
  }
  if (summary.error.empty())
    exit.code = summary.status;
  else if (summary.status == 2)
    throw BadInput(summary.error);
  else
    throw MachineCannot(summary.error);
}

/// Adds the options that suites declare. If two suites declare the same option, it is added once.
void add_suite_options(CLI::App& command, suites::OptionValues& values, bool check) {
  std::set<std::string> added;
  for (const auto* kind : suites::kinds())
    for (const auto& option : kind->profile().options) {
      if ((option.commands == suites::OptionOf::check && !check) || !added.insert(option.name).second)
        continue;
      auto* made = command.add_option(option.name, values[option.name], option.help);
      if (!option.value.empty()) made->type_name(option.value);
    }
}

}  // namespace

void add_tasks_command(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("tasks", "The suites of tasks");
  command->require_subcommand(1);
  const auto options = std::make_shared<TasksOptions>();
  const auto add = [&](const std::string& name, const char* about) {
    auto* added = command->add_subcommand(name, about);
    add_suite_option(*added, options->suite);
    add_suite_options(*added, options->suite_options, name == "check");
    add_json_option(*added, options->json);
    return added;
  };
  add("list", "Every task in a line")->callback([options] { list(*options); });
  auto* shown = add("show", "One task whole");
  shown->add_option("TASK", options->tasks, "A task of the suite or a task file")->required()->expected(1);
  shown->add_option("--stub", options->stub,
                    "Only the function that a kernel implements: " + stub_languages());
  shown->callback([options] { show(*options); });
  auto* checked = add("check", "Prove tasks: the reference runs, wrong results fail, counts are sane");
  checked->add_option("TASK", options->tasks, "Tasks of the suite or task files (default: all)");
  add_launcher_option(*checked, options->launcher);
  checked->callback([options, &exit] { check(*options, exit); });
}

}  // namespace ridgeline::cli
