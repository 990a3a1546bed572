#include "engine/evaluation/worker_pool.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <chrono>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace ridgeline::evaluation {
namespace {

/// A start can fail by chance (the machine was short of memory for a moment), so it is tried again; a start
/// that fails twice in a row has a cause that a third one would meet as well.
constexpr int kStartsTried = 2;

std::chrono::steady_clock::duration seconds(double value) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(value));
}

}  // namespace

class WorkerPool::Impl : public std::enable_shared_from_this<WorkerPool::Impl> {
 public:
  Impl(boost::asio::io_context& io, PoolSettings settings, StartLink start, Log log)
      : io_(io),
        settings_(std::move(settings)),
        start_link_(std::move(start)),
        log_(std::move(log)),
        dispatcher_(settings_.workers, settings_.dispatch) {
    for (int i = 0; i < settings_.workers; ++i) workers_.emplace_back(io);
  }

  void start(std::function<void(std::exception_ptr)> ready) {
    ready_ = std::move(ready);
    started_ = true;
    perform();
  }

  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) {
    submit({std::move(request), std::move(done)});
  }
  void check(std::shared_ptr<const Task> task, std::function<void(CheckOutcome)> done) {
    submit({std::move(task), std::move(done)});
  }

  std::vector<protocol::Hello> hellos() const {
    std::vector<protocol::Hello> all;
    for (const auto& worker : workers_)
      if (worker.hello) all.push_back(*worker.hello);
    return all;
  }

  void stop() {
    stopped_ = true;
    requests_.clear();
    ready_ = nullptr;
    for (auto& worker : workers_) {
      worker.timer.cancel();
      if (worker.link) worker.link->close_input();  // all at once, so that they end side by side
    }
    for (auto& worker : workers_) worker.link.reset();
  }

 private:
  struct Worker {
    explicit Worker(boost::asio::io_context& io) : timer(io) {}
    std::unique_ptr<WorkerLink> link;
    std::optional<protocol::Hello> hello;
    boost::asio::steady_timer
        timer;              ///< delay before a start, then the limit of the hello, then that of silence
    std::string last_end;   ///< why it was lost last
    int failed_starts = 0;  ///< in a row, before its hello
  };
  Worker& at(int number) { return workers_[static_cast<std::size_t>(number)]; }

  void submit(PendingRequest pending) {
    const RequestId id = next_id_++;
    requests_.emplace(id, std::move(pending));
    dispatcher_.submit(id);
    perform();
  }

  /// Carries out what the dispatcher decided, until it has no more to do. A call from inside, by a failed
  /// send, returns at once: the outer loop goes on with what it added.
  void perform() {
    if (!started_ || stopped_ || performing_) return;
    performing_ = true;
    for (auto actions = dispatcher_.take_actions(); !actions.empty() && !stopped_;
         actions = dispatcher_.take_actions()) {
      for (const auto& action : actions) {
        if (stopped_) break;
        if (const auto* start = std::get_if<StartWorker>(&action)) start_later(*start);
        if (const auto* send = std::get_if<Send>(&action)) send_request(*send);
        if (const auto* give_up = std::get_if<GiveUp>(&action)) give_up_on(give_up->request);
      }
    }
    performing_ = false;
  }

  void start_later(const StartWorker& start) {
    arm(start.worker, start.delay, [this, worker = start.worker] { start_worker(worker); });
  }

  void start_worker(int number) {
    LinkEvents events;
    events.message = [this, number](const nlohmann::json& document) { on_message(number, document); };
    events.ended = [this, number](const std::string& why) { on_end(number, why); };
    events.log = [this, number](const std::string& line) {
      log("worker " + std::to_string(number) + ": " + line);
    };
    try {
      at(number).link = start_link_(number, std::move(events));
    } catch (const Error& error) {
      at(number).failed_starts = kStartsTried;  // the program does not exist: a second start would fail too
      return on_end(number, error.what());
    }
    arm(number, settings_.hello_limit_seconds, [this, number] {
      at(number).failed_starts = kStartsTried;  // a second wait would be as long and as useless
      at(number).link->kill("it did not say hello within " +
                            std::to_string(static_cast<int>(settings_.hello_limit_seconds)) +
                            " s: is the launcher waiting for something, or asking a question?");
    });
  }

  void on_message(int number, const nlohmann::json& document) {
    try {
      auto message = protocol::decode_from_worker(document);
      if (auto* hello = std::get_if<protocol::Hello>(&message)) return on_hello(number, std::move(*hello));
      if (!at(number).hello) throw protocol::ProtocolError("it answered before it said hello");
      if (auto* evaluated = std::get_if<protocol::Evaluated>(&message))
        on_answer(number, std::move(*evaluated));
      if (auto* checked = std::get_if<protocol::Checked>(&message)) on_answer(number, std::move(*checked));
      if (auto* failed = std::get_if<protocol::Failed>(&message)) on_answer(number, std::move(*failed));
    } catch (const protocol::ProtocolError& error) {
      if (!at(number).hello)
        return refuse(number, error.what());  // another version, or a program that is no worker
      at(number).link->kill(error.what());
      return;
    }
    arm_silence(number);
    perform();
  }

  void on_hello(int number, protocol::Hello hello) {
    try {
      check_hello(hello, settings_.requirements);
    } catch (const Error&) {
      return refuse(number, "", std::current_exception());
    }
    at(number).failed_starts = 0;
    if (!settings_.modules_on.empty())
      at(number).link->send(protocol::encode_frame(
          protocol::encode(protocol::ToWorker{protocol::ExpectModules{"", settings_.modules_on}})));
    dispatcher_.worker_ready(number, hello.window);
    at(number).hello = std::move(hello);
    arm_silence(number);
    report(nullptr);
    perform();
  }

  /// Gives the worker up for good: it would refuse again after another start.
  void refuse(int number, const std::string& why, std::exception_ptr problem = nullptr) {
    if (!problem)
      problem = std::make_exception_ptr(MachineCannot("worker " + std::to_string(number) + ": " + why));
    try {
      std::rethrow_exception(problem);
    } catch (const std::exception& error) {
      at(number).last_end = error.what();
      if (!ready_) log(error.what());  // `ready_` reports it where somebody waits for the start
    }
    dispatcher_.worker_refused(number);
    at(number).timer.cancel();
    // Its link is destroyed later: this runs inside one of the link's own callbacks.
    boost::asio::post(io_, [self = shared_from_this(), number] { self->at(number).link.reset(); });
    report(problem);
    perform();
  }

  void on_end(int number, const std::string& why) {
    auto& worker = at(number);
    const bool was_starting = !worker.hello;
    worker.hello.reset();
    worker.timer.cancel();
    worker.last_end = why;
    log("worker " + std::to_string(number) + " ended: " + why);
    boost::asio::post(io_, [self = shared_from_this(), link = std::shared_ptr(std::move(worker.link))] {});
    dispatcher_.worker_lost(number);
    if (was_starting && (++worker.failed_starts >= kStartsTried || !dispatcher_.any_worker_left()))
      report(std::make_exception_ptr(
          MachineCannot("worker " + std::to_string(number) + " could not be started: " + why)));
    perform();
  }

  std::optional<PendingRequest> take_request(int number, const std::string& id) {
    RequestId request = 0;
    const auto* end = id.data() + id.size();
    if (std::from_chars(id.data(), end, request).ptr != end || !dispatcher_.answered(number, request)) {
      log("worker " + std::to_string(number) + " answered a request that it does not have: '" + id + "'");
      return std::nullopt;
    }
    auto node = requests_.extract(request);
    return node.empty() ? std::nullopt : std::optional(std::move(node.mapped()));
  }

  template <class Answer>
  void on_answer(int number, Answer answer) {
    if (auto pending = take_request(number, answer.id))
      deliver(std::move(*pending).answered(std::move(answer)));
  }

  void send_request(const Send& send) {
    if (!requests_.at(send.request).wanted()) {
      requests_.erase(send.request);
      return dispatcher_.cancel(send.request);  // its slot in the window goes to the next request
    }
    const std::string id = std::to_string(send.request);
    const bool was_idle = dispatcher_.in_flight(send.worker) == 1;
    try {
      const auto document = protocol::encode(requests_.at(send.request).message(id));
      at(send.worker).link->send(protocol::encode_frame(document));
    } catch (const protocol::ProtocolError& error) {  // too large to travel
      return on_answer(send.worker, protocol::Failed{id, protocol::Failure::bad_request, error.what()});
    }
    if (was_idle) arm_silence(send.worker);
  }

  void give_up_on(RequestId id) {
    auto node = requests_.extract(id);
    if (node.empty()) return;
    std::string why = "the workers were lost under it";
    for (const auto& worker : workers_)
      if (!worker.last_end.empty()) why += "; the last end: " + worker.last_end;
    deliver(std::move(node.mapped()).lost(why));
  }

  // Restarts the clock of silence. A worker is silent only while it has requests: an idle one may stay idle.
  void arm_silence(int number) {
    if (dispatcher_.in_flight(number) == 0) {
      at(number).timer.cancel();
      return;
    }
    arm(number, settings_.silence_limit_seconds, [this, number] {
      at(number).link->kill("it was silent for " +
                            std::to_string(static_cast<int>(settings_.silence_limit_seconds)) +
                            " s with work at hand");
    });
  }

  /// Sets the worker's one timer, which replaces what it was set for. The number of the setting is compared
  /// too, since a handler that asio has already queued cannot be cancelled.
  void arm(int number, double delay, std::function<void()> run) {
    auto& timer = at(number).timer;
    const auto armed = ++armings_;
    latest_arming_[number] = armed;
    timer.expires_after(seconds(delay));
    timer.async_wait([self = shared_from_this(), number, armed, run = std::move(run)](const auto& error) {
      if (!error && !self->stopped_ && self->latest_arming_[number] == armed) run();
    });
  }

  /// Posts a callback: the owner of the pool may call it from within its own callbacks, and none must run
  /// inside its call.
  void deliver(std::function<void()> call) {
    boost::asio::post(io_, [self = shared_from_this(), call = std::move(call)] {
      if (!self->stopped_) call();
    });
  }

  void report(std::exception_ptr problem) {
    if (auto ready = std::exchange(ready_, nullptr))
      deliver([ready = std::move(ready), problem = std::move(problem)] { ready(problem); });
  }

  void log(const std::string& line) {
    if (log_) log_(line);
  }

  boost::asio::io_context& io_;
  PoolSettings settings_;
  StartLink start_link_;
  Log log_;
  Dispatcher dispatcher_;
  std::deque<Worker> workers_;
  std::map<RequestId, PendingRequest> requests_;
  std::function<void(std::exception_ptr)> ready_;
  std::map<int, std::uint64_t> latest_arming_;
  std::uint64_t armings_ = 0;
  RequestId next_id_ = 1;
  bool started_ = false, stopped_ = false, performing_ = false;
};

WorkerPool::WorkerPool(boost::asio::io_context& io, PoolSettings settings, StartLink start, Log log)
    : impl_(std::make_shared<Impl>(io, std::move(settings), std::move(start), std::move(log))) {}
WorkerPool::~WorkerPool() {
  impl_->stop();
}

void WorkerPool::start(std::function<void(std::exception_ptr)> ready) {
  impl_->start(std::move(ready));
}
void WorkerPool::evaluate(EvaluateRequest request, std::function<void(Verdict)> done) {
  impl_->evaluate(std::move(request), std::move(done));
}
void WorkerPool::prove(std::shared_ptr<const Task> task, std::function<void(std::string problem)> done) {
  check(std::move(task), [done = std::move(done)](const CheckOutcome& outcome) {
    if (const auto* failed = std::get_if<protocol::Failed>(&outcome)) return done(failed->message);
    for (const auto& item : std::get<protocol::Checked>(outcome).items)
      if (!item.passed) return done(item.name + ": " + item.message);
    done("");
  });
}

void WorkerPool::check(std::shared_ptr<const Task> task, std::function<void(CheckOutcome)> done) {
  impl_->check(std::move(task), std::move(done));
}
std::vector<protocol::Hello> WorkerPool::hellos() const {
  return impl_->hellos();
}
void WorkerPool::stop() {
  impl_->stop();
}

}  // namespace ridgeline::evaluation
