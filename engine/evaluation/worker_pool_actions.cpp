// Carries out the dispatcher's decisions.
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/evaluation/worker_pool_impl.hpp"

namespace ridgeline::evaluation {
namespace {

std::chrono::steady_clock::duration seconds(double value) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(value));
}

}  // namespace

/// A call from inside, by a failed send, returns at once: the outer loop goes on with what it added.
void WorkerPool::Impl::perform() {
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

void WorkerPool::Impl::start_later(const StartWorker& start) {
  arm(start.worker, start.delay, [this, worker = start.worker] { start_worker(worker); });
}

void WorkerPool::Impl::start_worker(int number) {
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

void WorkerPool::Impl::send_request(const Send& send) {
  if (!requests_.at(send.request).wanted()) {
    requests_.erase(send.request);
    return dispatcher_.cancel(send.request);  // its slot in the window goes to the next request
  }
  const std::string id = std::to_string(send.request);
  // The dispatcher has counted this request already.
  const bool was_idle = dispatcher_.in_flight(send.worker) == 1;
  try {
    const auto document = protocol::encode(requests_.at(send.request).message(id));
    at(send.worker).link->send(protocol::encode_frame(document));
  } catch (const protocol::ProtocolError& error) {  // too large to travel
    return on_answer(send.worker, protocol::Failed{id, protocol::Failure::bad_request, error.what()});
  }
  if (was_idle) arm_silence(send.worker);
}

void WorkerPool::Impl::give_up_on(RequestId id) {
  // Empty for a request that was dropped because it is not wanted any more.
  auto node = requests_.extract(id);
  if (node.empty()) return;
  std::string why = "the workers were lost under it";
  for (const auto& worker : workers_)
    if (!worker.last_end.empty()) why += "; the last end: " + worker.last_end;
  deliver(std::move(node.mapped()).lost(why));
}

/// A worker is silent only while it has requests: an idle one may stay idle.
void WorkerPool::Impl::arm_silence(int number) {
  if (dispatcher_.in_flight(number) == 0) {
    disarm(number);
    return;
  }
  arm(number, settings_.silence_limit_seconds, [this, number] {
    at(number).link->kill("it was silent for " +
                          std::to_string(static_cast<int>(settings_.silence_limit_seconds)) +
                          " s with work at hand");
  });
}

/// Handlers compare the number of their setting: one that asio has queued already cannot be cancelled. The
/// hello's limit of a worker that had ended once ran so, without a link to kill.
void WorkerPool::Impl::disarm(int number) {
  latest_arming_[number] = ++armings_;
  at(number).timer.cancel();
}

void WorkerPool::Impl::arm(int number, double delay, std::function<void()> run) {
  auto& timer = at(number).timer;
  const auto armed = ++armings_;
  latest_arming_[number] = armed;
  timer.expires_after(seconds(delay));
  timer.async_wait([self = shared_from_this(), number, armed, run = std::move(run)](const auto& error) {
    if (!error && !self->stopped_ && self->latest_arming_[number] == armed) run();
  });
}

}  // namespace ridgeline::evaluation
