#include "engine/cli/workers.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "engine/cli/interrupted.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/process_link.hpp"

namespace ridgeline::cli {

struct Workers::Impl {
  Impl(const std::string& launcher, evaluation::Requirements requirements, const std::string& modules_on,
       const std::vector<std::string>& arguments)
      : signals(io, SIGINT, SIGTERM),
        pool(
            io,
            {.workers = 1, .requirements = std::move(requirements), .dispatch = {}, .modules_on = modules_on},
            evaluation::process_links(
                io, evaluation::worker_command(evaluation::split_command(launcher), arguments)),
            [this](const std::string& line) {
              if (started)
                std::cerr << line << '\n';
              else
                lines_before_start.push_back(line);
            }) {
    signals.async_wait([this](boost::system::error_code error, int) { interrupted = !error; });
  }

  boost::asio::io_context io;
  boost::asio::signal_set signals;  ///< keeps the io_context from running out of work
  bool interrupted = false;
  bool started = false;
  /// Log lines until the worker has started. They are dropped if it fails: the error repeats them.
  std::vector<std::string> lines_before_start;
  evaluation::WorkerPool pool;
};

Workers::Workers(const std::string& launcher, evaluation::Requirements requirements,
                 const std::string& modules_on, const std::vector<std::string>& arguments)
    : impl_(std::make_unique<Impl>(launcher, std::move(requirements), modules_on, arguments)) {
  std::optional<std::exception_ptr> problem;
  impl_->pool.start([&](std::exception_ptr error) { problem = std::move(error); });
  run_until([&] { return problem.has_value(); });
  if (*problem) std::rethrow_exception(*problem);
  impl_->started = true;
  for (const auto& line : impl_->lines_before_start) std::cerr << line << '\n';
}

Workers::~Workers() = default;

void Workers::with_default_signals(const std::function<void()>& work) {
  // Cleared, the two signals have their default action again. An exception of `work` ends the command, so
  // they need not be restored then.
  impl_->signals.clear();
  work();
  impl_->signals.add(SIGINT);
  impl_->signals.add(SIGTERM);
}

Verdict Workers::evaluate(evaluation::EvaluateRequest request) {
  std::optional<Verdict> verdict;
  impl_->pool.evaluate(std::move(request), [&](Verdict received) { verdict = std::move(received); });
  run_until([&] { return verdict.has_value(); });
  return std::move(*verdict);
}

void Workers::check(const std::vector<Task>& tasks, const Checked& done) {
  std::size_t left = tasks.size();
  for (const auto& task : tasks)
    impl_->pool.check(evaluation::borrowed(task),
                      [&left, &done, &task](const evaluation::CheckOutcome& outcome) {
                        done(task, outcome);
                        --left;
                      });
  run_until([&] { return left == 0; });
}

evaluation::WorkerPool& Workers::pool() {
  return impl_->pool;
}

boost::asio::io_context& Workers::io() {
  return impl_->io;
}

void Workers::run_until(const std::function<bool()>& done) {
  while (!done()) {
    if (impl_->interrupted) throw Interrupted("interrupted; nothing was kept: run the same command again");
    impl_->io.run_one();  // the signal set keeps it from returning with nothing to do
  }
}

}  // namespace ridgeline::cli
