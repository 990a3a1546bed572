#include "engine/evaluation/worker_pool.hpp"

#include <boost/asio/post.hpp>
#include <utility>

#include "engine/evaluation/worker_pool_impl.hpp"

namespace ridgeline::evaluation {

WorkerPool::Impl::Impl(boost::asio::io_context& io, PoolSettings settings, StartLink start, Log log)
    : io_(io),
      settings_(std::move(settings)),
      start_link_(std::move(start)),
      log_(std::move(log)),
      dispatcher_(settings_.workers, settings_.dispatch) {
  for (int i = 0; i < settings_.workers; ++i) workers_.emplace_back(io);
}

void WorkerPool::Impl::start(std::function<void(std::exception_ptr)> ready) {
  ready_ = std::move(ready);
  started_ = true;
  perform();
}

std::vector<protocol::Hello> WorkerPool::Impl::hellos() const {
  std::vector<protocol::Hello> all;
  for (const auto& worker : workers_)
    if (worker.hello) all.push_back(*worker.hello);
  return all;
}

void WorkerPool::Impl::stop() {
  stopped_ = true;
  requests_.clear();
  ready_ = nullptr;
  for (auto& worker : workers_) {
    worker.timer.cancel();
    if (worker.link) worker.link->close_input();  // all at once, so that they end side by side
  }
  for (auto& worker : workers_) worker.link.reset();
}

void WorkerPool::Impl::submit(PendingRequest pending) {
  const RequestId id = next_id_++;
  requests_.emplace(id, std::move(pending));
  dispatcher_.submit(id);
  perform();
}

void WorkerPool::Impl::deliver(std::function<void()> call) {
  boost::asio::post(io_, [self = shared_from_this(), call = std::move(call)] {
    if (!self->stopped_) call();
  });
}

void WorkerPool::Impl::report(std::exception_ptr problem) {
  if (auto ready = std::exchange(ready_, nullptr))
    deliver([ready = std::move(ready), problem = std::move(problem)] { ready(problem); });
}

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
