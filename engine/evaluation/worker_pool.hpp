// Evaluates on N workers: hello checked, work spread, lost workers started again, their requests retried
// once.
//
//   WorkerPool pool(io, settings, process_links(io, worker_command(launcher)), log);
//   pool.start([](std::exception_ptr problem) { ... });   // before anything is spent
//   pool.evaluate(request, done);
//
// One thread: the io_context's. Destroying the pool, or `stop`, ends the workers with all they started; what
// is unanswered then stays unanswered, so that an interrupted campaign does not journal verdicts it never
// saw.
#pragma once

#include <exception>
#include <memory>
#include <vector>

#include "engine/evaluation/dispatcher.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "engine/evaluation/hello_check.hpp"
#include "engine/evaluation/pending_request.hpp"
#include "engine/evaluation/worker_link.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::evaluation {

struct PoolSettings {
  int workers = 1;
  Requirements requirements;
  DispatcherSettings dispatch;
  std::string modules_on;  ///< "cpu" or "cuda": modules of torch will come for it, and what they take starts
                           ///< with the worker; "": none will
  double hello_limit_seconds = 180;    ///< from start to hello; a launcher may queue
  double silence_limit_seconds = 900;  ///< without any answer while it has requests; then it counts as lost
};

class WorkerPool final : public Evaluator {
 public:
  using Log = std::function<void(const std::string& line)>;

  WorkerPool(boost::asio::io_context& io, PoolSettings settings, StartLink start, Log log);
  ~WorkerPool() override;

  /// Starts the workers. `ready` is called once, on the io_context's thread: without a problem when the first
  /// worker said a hello that meets the requirements; with MachineCannot or BadInput if one does not, or
  /// cannot be started (twice in a row, where trying again may help).
  void start(std::function<void(std::exception_ptr problem)> ready);

  /// Requests may come before `ready`; they wait.
  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) override;
  void prove(std::shared_ptr<const Task> task, std::function<void(std::string problem)> done) override;
  /// Has a worker's judge prove a task itself.
  void check(std::shared_ptr<const Task> task, std::function<void(CheckOutcome)> done);

  /// One of each worker that is up, in the order of their hellos.
  std::vector<protocol::Hello> hellos() const;
  void stop();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace ridgeline::evaluation
