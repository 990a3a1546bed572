// The two ports of the clients, turned by hand.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "llm_clients/client.hpp"
#include "llm_clients/timers.hpp"
#include "llm_clients/transport.hpp"

namespace ridgeline::llm::test {

/// The hands of a clock, kept by the test: a ManualTimers belongs to a client and goes with it.
struct Clock {
  TimePoint now{std::chrono::hours(1)};
  WallTime wall{std::chrono::seconds(1'700'000'000)};
  std::multimap<TimePoint, std::pair<std::weak_ptr<int>, std::function<void()>>> waits;
  std::deque<std::function<void()>> posted;

  /// Runs what is due, until nothing is.
  void run() {
    for (;;) {
      if (!posted.empty()) {
        const auto next = std::move(posted.front());
        posted.pop_front();
        next();
      } else if (!waits.empty() && waits.begin()->first <= now) {
        const auto [alive, next] = std::move(waits.begin()->second);
        waits.erase(waits.begin());
        if (!alive.expired()) next();
      } else {
        return;
      }
    }
  }
  void advance(double seconds) {
    now += clock_seconds(seconds);
    run();
  }
};

class ManualTimers : public Timers {
 public:
  explicit ManualTimers(Clock& clock) : clock_(clock) {}
  TimePoint now() const override { return clock_.now; }
  WallTime wall() const override { return clock_.wall; }
  void at(TimePoint time, std::function<void()> run) override {
    clock_.waits.emplace(time, std::pair(std::weak_ptr(alive_), std::move(run)));
  }
  void post(std::function<void()> run) override { clock_.posted.push_back(std::move(run)); }

 private:
  Clock& clock_;
  std::shared_ptr<int> alive_ = std::make_shared<int>(0);
};

struct Sent {
  HttpRequest request;
  HttpHandlers handlers;
  bool aborted = false;

  void answer(int status, HttpHeaders headers, std::string_view body) {
    handlers.head({status, std::move(headers)});
    handlers.body(body);
    const auto end = std::move(handlers.end);
    end({HttpEndKind::complete, ""});
  }
  void answer_text(const std::string& text) {
    answer(200, {{"Content-Type", "application/json"}},
           R"({"choices":[{"message":{"content":")" + text +
               R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":20}})");
  }
};

/// Keeps what is sent for the test to answer; `wire` outlives it.
class RecordingTransport : public Transport {
 public:
  explicit RecordingTransport(std::deque<Sent>& wire) : wire_(wire) {}
  void send(HttpRequest request, HttpHandlers handlers) override {
    wire_.push_back({std::move(request), std::move(handlers)});
  }
  void abort(std::uint64_t id) override {
    for (auto& sent : wire_)
      if (sent.request.id == id) sent.aborted = true;
  }

 private:
  std::deque<Sent>& wire_;
};

/// Collects results in the order in which they come.
struct Results {
  std::vector<LlmResult> all;
  Completion keep() {
    return [this](LlmResult result) { all.push_back(std::move(result)); };
  }
};

}  // namespace ridgeline::llm::test
