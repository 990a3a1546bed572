// Evaluates on N workers: checks their hellos, spreads the requests, starts lost workers again and retries
// their requests once.
//
//   WorkerPool pool(io, settings, process_links(io, worker_command(launcher)), log);
//   pool.start([](std::exception_ptr problem) { ... });   // before anything is spent
//   pool.evaluate(request, done);
//
// All methods belong to the io_context's thread. Destroying the pool, or `stop`, ends the workers with every
// process they started. Requests without an answer stay without one, so that an interrupted campaign does not
// journal verdicts that it never saw.
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

/// The number of workers, what they need, and when one counts as lost.
struct PoolSettings {
  int workers = 1;
  Requirements requirements;
  DispatcherSettings dispatch;
  std::string modules_on;  ///< "cpu" or "cuda": each worker is told at its hello to expect torch modules on
                           ///< it, and starts then what they need; "": it is not told
  double hello_limit_seconds = 180;    ///< from start to hello; long, since a launcher may queue (srun)
  double silence_limit_seconds = 900;  ///< a worker that has requests and answers none for so long is lost
};

/// The evaluator that runs workers.
class WorkerPool final : public Evaluator {
 public:
  using Log = std::function<void(const std::string& line)>;

  WorkerPool(boost::asio::io_context& io, PoolSettings settings, StartLink start, Log log);
  ~WorkerPool() override;

  /// Starts the workers. Calls `ready` once, on the io_context's thread: with null when the first worker's
  /// hello meets the requirements; with MachineCannot or BadInput when one does not, or a worker cannot be
  /// started (twice in a row, where a second start may help). Only the first such event is reported, later
  /// ones are logged. The pool goes on with its other workers.
  void start(std::function<void(std::exception_ptr problem)> ready);

  /// Evaluates; requests before `ready` wait for it. A request that no worker could answer, even when sent
  /// again, ends with a verdict that says so (no_verdict.hpp). After `stop`, `done` is never called.
  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) override;
  void prove(std::shared_ptr<const Task> task, std::function<void(std::string problem)> done) override;
  /// Has a worker's judge check a task without a candidate. Calls `done` once, on the io_context's thread.
  void check(std::shared_ptr<const Task> task, std::function<void(CheckOutcome)> done);

  /// Returns the hellos of the workers that are up, by worker number.
  std::vector<protocol::Hello> hellos() const;
  void stop();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace ridgeline::evaluation
