// Handles the messages of workers, and their ends.
#include <boost/asio/post.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/evaluation/worker_pool_impl.hpp"

namespace ridgeline::evaluation {

void WorkerPool::Impl::on_message(int number, const nlohmann::json& document) {
  if (!at(number).link) return;  // it was refused for a message before this one in the same read
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
  // Any message proves that the worker is alive.
  arm_silence(number);
  perform();
}

void WorkerPool::Impl::on_hello(int number, protocol::Hello hello) {
  try {
    check_hello(hello, settings_.requirements);
  } catch (const Error&) {
    return refuse(number, "", std::current_exception());
  }
  at(number).failed_starts = 0;
  // Before the first request, so that what takes seconds to start runs beside the first build.
  if (!settings_.modules_on.empty())
    at(number).link->send(protocol::encode_frame(
        protocol::encode(protocol::ToWorker{protocol::ExpectModules{"", settings_.modules_on}})));
  dispatcher_.worker_ready(number, hello.window);
  at(number).hello = std::move(hello);
  arm_silence(number);
  report(nullptr);
  perform();
}

void WorkerPool::Impl::refuse(int number, const std::string& why, std::exception_ptr problem) {
  if (!problem)
    problem = std::make_exception_ptr(MachineCannot("worker " + std::to_string(number) + ": " + why));
  try {
    std::rethrow_exception(problem);
  } catch (const std::exception& error) {
    at(number).last_end = error.what();
    if (!ready_) log(error.what());  // `ready_` reports it where somebody waits for the start
  }
  dispatcher_.worker_refused(number);
  disarm(number);
  // Its link is destroyed later: this runs inside one of the link's own callbacks.
  boost::asio::post(io_, [self = shared_from_this(), link = std::shared_ptr(std::move(at(number).link))] {});
  report(problem);
  perform();
}

void WorkerPool::Impl::on_end(int number, const std::string& why) {
  auto& worker = at(number);
  // A worker that dies before its hello tells how the start of the pool went.
  const bool was_starting = !worker.hello;
  worker.hello.reset();
  disarm(number);
  worker.last_end = why;
  log("worker " + std::to_string(number) + " ended: " + why);
  // The link is destroyed later, since this runs inside one of its callbacks.
  boost::asio::post(io_, [self = shared_from_this(), link = std::shared_ptr(std::move(worker.link))] {});
  dispatcher_.worker_lost(number);
  if (was_starting && (++worker.failed_starts >= kStartsTried || !dispatcher_.any_worker_left()))
    report(std::make_exception_ptr(
        MachineCannot("worker " + std::to_string(number) + " could not be started: " + why)));
  perform();
}

std::optional<PendingRequest> WorkerPool::Impl::take_request(int number, const std::string& id) {
  RequestId request = 0;
  const auto* end = id.data() + id.size();
  if (std::from_chars(id.data(), end, request).ptr != end || !dispatcher_.answered(number, request)) {
    log("worker " + std::to_string(number) + " answered a request that it does not have: '" + id + "'");
    return std::nullopt;
  }
  auto node = requests_.extract(request);
  return node.empty() ? std::nullopt : std::optional(std::move(node.mapped()));
}

}  // namespace ridgeline::evaluation
