#include "engine/campaign/preflight.hpp"

#include <fmt/format.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <utility>

#include "engine/campaign/knowledge_folder.hpp"
#include "engine/campaign/machine.hpp"
#include "engine/campaign/strategy_templates.hpp"
#include "engine/core/error.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/process_link.hpp"
#include "engine/evaluation/worker_pool.hpp"
#include "engine/worker/languages/flags/forbidden_flag.hpp"
#include "llm_clients/factory.hpp"

namespace ridgeline::campaign {
namespace {

void check_worker(const CampaignConfig& config, const std::vector<Task>& tasks,
                  const std::function<void(const std::string&)>& log) {
  boost::asio::io_context io;
  auto work = boost::asio::make_work_guard(io);
  evaluation::PoolSettings settings;
  settings.requirements = requirements_of(config);
  auto links = evaluation::process_links(io, evaluation::worker_command(config.worker.launcher));
  evaluation::WorkerPool pool(io, settings, std::move(links), log);
  std::exception_ptr problem;
  const auto end = [&](std::exception_ptr first_problem) {
    problem = first_problem;
    io.stop();
  };
  // One worker is enough: the others are started by the same command line.
  pool.start([&](std::exception_ptr not_started) {
    if (not_started) return end(not_started);
    prove_own_tasks(config, tasks, pool, end);
  });
  io.run();
  pool.stop();
  if (problem) std::rethrow_exception(problem);
}

std::exception_ptr refused(const Task& task, const std::string& why) {
  return std::make_exception_ptr(BadInput(
      fmt::format("the task '{}' cannot be judged, so nothing is asked about it: {}. Repair its file "
                  "(`ridgeline tasks check` tells all), or leave it out of suite.tasks",
                  task.name, why)));
}

}  // namespace

void check_flags(const CampaignConfig& config) {
  const auto bad = languages::first_forbidden(config.language, config.worker.flags);
  if (bad)
    throw BadInput(fmt::format(
        "worker.flags: '{}' is not on the list of flags that may be chosen for {}, so every build "
        "would fail. Leave it out",
        *bad, to_string(config.language)));
}

void prove_own_tasks(const CampaignConfig& config, const std::vector<Task>& tasks,
                     evaluation::WorkerPool& pool, std::function<void(std::exception_ptr)> done) {
  if (config.suite->proof() != suites::Proof::worker || tasks.empty()) return done(nullptr);
  struct Proof {
    std::size_t open;
    std::function<void(std::exception_ptr)> done;
  };
  const auto proof = std::make_shared<Proof>(Proof{tasks.size(), std::move(done)});
  const auto end = [](Proof& ended, std::exception_ptr problem) {
    if (!ended.done) return;  // another task has failed before
    const auto done_once = std::exchange(ended.done, nullptr);
    done_once(problem);
  };
  for (const auto& task : tasks) {
    auto checked = [proof, end, &task](const std::string& problem) {
      if (!problem.empty()) return end(*proof, refused(task, problem));
      if (--proof->open == 0) end(*proof, nullptr);
    };
    pool.prove(evaluation::borrowed(task), std::move(checked));
  }
}

void check_before_spending(const CampaignConfig& config, const std::vector<Task>& tasks,
                           const std::function<void(const std::string&)>& log) {
  check_flags(config);
  StrategyTemplates{config};  // a template that cannot be used ends here
  read_knowledge(config.knowledge, config.language);
  boost::asio::io_context io;
  for (const auto& model : config.models) llm::make_client(model, io);  // reads its key, then goes away
  if (config.worker.mailbox.empty()) check_worker(config, tasks, log);
}

}  // namespace ridgeline::campaign
