// The pool's limits on time, with a link that the test holds in its hands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/evaluation/worker_pool.hpp"

namespace ridgeline::evaluation {
namespace {

/// A worker that does nothing. Writes down why it is killed.
class IdleLink final : public WorkerLink {
 public:
  explicit IdleLink(std::vector<std::string>& kills) : kills_(kills) {}
  void send(std::string) override {}
  void close_input() override {}
  void kill(std::string why) override { kills_.push_back(std::move(why)); }

 private:
  std::vector<std::string>& kills_;
};

TEST(WorkerPoolTimers, ALimitThatIsDueAtTheMomentOfAnEndKillsNobody) {
  boost::asio::io_context io;
  PoolSettings settings;
  settings.dispatch.starts = 1;  // it stays down after its first end
  settings.hello_limit_seconds = 0.01;
  LinkEvents events;
  std::vector<std::string> kills;
  WorkerPool pool(
      io, settings,
      [&](int, LinkEvents of_link) {
        events = std::move(of_link);
        // The limit becomes due while this waits, so its handler may be queued when the worker ends.
        boost::asio::post(io, [&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          boost::asio::post(io, [&] { events.ended("exit status 1"); });
        });
        return std::make_unique<IdleLink>(kills);
      },
      [](const std::string&) {});
  bool failed = false;
  pool.start([&](std::exception_ptr problem) { failed = problem != nullptr; });
  io.run();
  EXPECT_TRUE(failed);
  EXPECT_THAT(kills, testing::IsEmpty());
}

}  // namespace
}  // namespace ridgeline::evaluation
