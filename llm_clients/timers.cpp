#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>

#include "llm_clients/timers.hpp"

namespace ridgeline::llm {
namespace {

class AsioTimers : public Timers {
 public:
  explicit AsioTimers(boost::asio::io_context& io) : io_(io) {}

  TimePoint now() const override { return std::chrono::steady_clock::now(); }
  WallTime wall() const override { return std::chrono::system_clock::now(); }

  void at(TimePoint time, std::function<void()> run) override {
    // Asio calls the handler of a destroyed timer too, with an error. It must then neither touch `waits_`,
    // which is gone, nor call `run`.
    const auto timer = waits_.emplace(waits_.end(), io_, time);
    timer->async_wait(
        [this, timer, alive = std::weak_ptr(alive_), run = std::move(run)](const boost::system::error_code&) {
          if (alive.expired()) return;
          waits_.erase(timer);
          run();
        });
  }

  void post(std::function<void()> run) override { boost::asio::post(io_, std::move(run)); }

 private:
  boost::asio::io_context& io_;
  std::list<boost::asio::steady_timer> waits_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

std::chrono::steady_clock::duration clock_seconds(double seconds) {
  // In seconds. A sum of a time point and a century fits into 64 bits of nanoseconds, which end after 292
  // years.
  constexpr double century = 3.2e9;
  const auto bounded = std::chrono::duration<double>(std::clamp(seconds, 0.0, century));
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(bounded);
}

std::unique_ptr<Timers> make_timers(boost::asio::io_context& io) {
  return std::make_unique<AsioTimers>(io);
}

}  // namespace ridgeline::llm
