// The pool's limits on time and what comes at the wrong moment, with a link that the test holds in its hands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/evaluation/worker_pool.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::evaluation {
namespace {

/// What a worker was made to do.
struct Done {
  std::vector<std::string> kills;  ///< why
  int frames = 0;                  ///< sent to it
};

/// A worker that does nothing. Writes down what it is made to do.
class IdleLink final : public WorkerLink {
 public:
  explicit IdleLink(Done& done) : done_(done) {}
  void send(std::string) override { ++done_.frames; }
  void close_input() override {}
  void kill(std::string why) override { done_.kills.push_back(std::move(why)); }

 private:
  Done& done_;
};

TEST(WorkerPoolTimers, ALimitThatIsDueAtTheMomentOfAnEndKillsNobody) {
  boost::asio::io_context io;
  PoolSettings settings;
  settings.dispatch.starts = 1;  // it stays down after its first end
  settings.hello_limit_seconds = 0.01;
  LinkEvents events;
  Done done;
  WorkerPool pool(
      io, settings,
      [&](int, LinkEvents of_link) {
        events = std::move(of_link);
        // The limit becomes due while this waits, so its handler may be queued when the worker ends.
        boost::asio::post(io, [&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(50));
          boost::asio::post(io, [&] { events.ended("exit status 1"); });
        });
        return std::make_unique<IdleLink>(done);
      },
      [](const std::string&) {});
  bool failed = false;
  pool.start([&](std::exception_ptr problem) { failed = problem != nullptr; });
  io.run();
  EXPECT_TRUE(failed);
  EXPECT_THAT(done.kills, testing::IsEmpty());
}

TEST(WorkerPoolTimers, AfterARefusalAHelloOfTheSameReadIsTooLate) {
  boost::asio::io_context io;
  PoolSettings settings;
  settings.modules_on = "cpu";  // a worker that is ready would be sent this
  LinkEvents events;
  Done done;
  WorkerPool pool(
      io, settings,
      [&](int, LinkEvents of_link) {
        events = std::move(of_link);
        boost::asio::post(io, [&] {
          events.message({{"type", "nonsense"}});
          events.message(protocol::encode(protocol::FromWorker{protocol::Hello{}}));
        });
        return std::make_unique<IdleLink>(done);
      },
      [](const std::string&) {});
  int starts = 0, failures = 0;
  pool.start([&](std::exception_ptr problem) {
    ++starts;
    failures += problem != nullptr;
  });
  io.run();
  EXPECT_EQ(starts, 1);
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(done.frames, 0);
}

}  // namespace
}  // namespace ridgeline::evaluation
