#include "engine/campaign/preflight.hpp"

#include <fmt/format.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "engine/campaign/knowledge_folder.hpp"
#include "engine/campaign/machine.hpp"
#include "engine/core/error.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/process_link.hpp"
#include "engine/evaluation/worker_pool.hpp"
#include "engine/worker/languages/flags/cpp_flags.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "llm_clients/factory.hpp"
#include "prompts/templates.hpp"

namespace ridgeline::campaign {
namespace {

void check_worker(const CampaignConfig& config, const std::function<void(const std::string&)>& log) {
  boost::asio::io_context io;
  auto work = boost::asio::make_work_guard(io);
  evaluation::PoolSettings settings;
  settings.requirements = requirements_of(config);
  auto links = evaluation::process_links(io, evaluation::worker_command(config.worker.launcher));
  evaluation::WorkerPool pool(io, settings, std::move(links), log);
  std::exception_ptr problem;
  pool.start([&](std::exception_ptr found) {
    problem = found;
    io.stop();
  });
  io.run();
  pool.stop();
  if (problem) std::rethrow_exception(problem);
}

}  // namespace

void check_flags(const CampaignConfig& config) {
  const auto bad = config.language == Language::cpp    ? languages::first_forbidden(config.worker.flags)
                   : config.language == Language::cuda ? languages::first_forbidden_cuda(config.worker.flags)
                                                       : std::nullopt;
  if (bad)
    throw BadInput(fmt::format(
        "worker.flags: '{}' is not on the list of flags that may be chosen for {}, so every build "
        "would fail. Leave it out",
        *bad, to_string(config.language)));
}

void check_before_spending(const CampaignConfig& config, const std::function<void(const std::string&)>& log) {
  check_flags(config);
  if (!config.prompts.empty()) prompts::Templates::with_overrides(config.prompts);
  read_knowledge(config.knowledge, config.language);
  boost::asio::io_context io;
  for (const auto& model : config.models) llm::make_client(model, io);
  if (config.worker.mailbox.empty()) check_worker(config, log);
}

}  // namespace ridgeline::campaign
