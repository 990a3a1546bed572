// The inside of WorkerPool. Private to worker_pool*.cpp:
//   worker_pool.cpp          its public calls, and how callbacks are delivered
//   worker_pool_actions.cpp  how it carries out the dispatcher's decisions
//   worker_pool_events.cpp   what it does when a worker sends a message or ends
//
// Everything runs on the io_context's thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/evaluation/worker_pool.hpp"

namespace ridgeline::evaluation {

class WorkerPool::Impl : public std::enable_shared_from_this<WorkerPool::Impl> {
 public:
  Impl(boost::asio::io_context& io, PoolSettings settings, StartLink start, Log log);

  void start(std::function<void(std::exception_ptr)> ready);
  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) {
    submit({std::move(request), std::move(done)});
  }
  void check(std::shared_ptr<const Task> task, std::function<void(CheckOutcome)> done) {
    submit({std::move(task), std::move(done)});
  }
  std::vector<protocol::Hello> hellos() const;
  void stop();

 private:
  /// A start can fail by chance (memory was short for a moment), so it is repeated once. A start that fails
  /// twice in a row has a cause that a third one would meet as well.
  static constexpr int kStartsTried = 2;

  struct Worker {
    explicit Worker(boost::asio::io_context& io) : timer(io) {}
    std::unique_ptr<WorkerLink> link;
    std::optional<protocol::Hello> hello;  ///< set while the worker is up
    /// Serves for the delay before a start, then for the limit of the hello, then for that of silence.
    boost::asio::steady_timer timer;
    std::string last_end;   ///< why it was lost last
    int failed_starts = 0;  ///< in a row, before its hello
  };
  Worker& at(int number) { return workers_[static_cast<std::size_t>(number)]; }

  void submit(PendingRequest pending);

  // worker_pool_actions.cpp

  /// Carries out the dispatcher's decisions until there are no more.
  void perform();
  void start_later(const StartWorker& start);
  void start_worker(int number);
  void send_request(const Send& send);
  void give_up_on(RequestId id);
  /// Restarts the timer that ends a silent worker.
  void arm_silence(int number);
  /// Sets the worker's one timer, which replaces what it was set for.
  void arm(int number, double delay, std::function<void()> run);
  void disarm(int number);

  // worker_pool_events.cpp

  void on_message(int number, const nlohmann::json& document);
  void on_hello(int number, protocol::Hello hello);
  void on_end(int number, const std::string& why);
  /// Gives the worker up for good: it would refuse again after another start.
  void refuse(int number, const std::string& why, std::exception_ptr problem = nullptr);
  /// Returns the request that a worker answers, or nothing if it does not have that request.
  std::optional<PendingRequest> take_request(int number, const std::string& id);
  template <class Answer>
  void on_answer(int number, Answer answer) {
    if (auto pending = take_request(number, answer.id))
      deliver(std::move(*pending).answered(std::move(answer)));
  }

  /// Posts a callback: the owner of the pool may call it from within its own callbacks, and none must run
  /// inside its call.
  void deliver(std::function<void()> call);
  /// Calls `ready` of `start`, at most once.
  void report(std::exception_ptr problem);
  void log(const std::string& line) {
    if (log_) log_(line);
  }

  boost::asio::io_context& io_;
  PoolSettings settings_;
  StartLink start_link_;
  Log log_;
  Dispatcher dispatcher_;
  std::deque<Worker> workers_;
  std::map<RequestId, PendingRequest> requests_;  ///< all without an answer
  std::function<void(std::exception_ptr)> ready_;
  std::map<int, std::uint64_t> latest_arming_;  ///< by worker: the number of the latest `arm`
  std::uint64_t armings_ = 0;
  RequestId next_id_ = 1;
  bool started_ = false, stopped_ = false, performing_ = false;
};

}  // namespace ridgeline::evaluation
