#include "engine/serve/routes.hpp"

#include <gtest/gtest.h>

namespace ridgeline::serve {
namespace {

template <class T>
T routed(const char* target) {
  const auto route = route_of(target);
  EXPECT_TRUE(std::holds_alternative<T>(route)) << target;
  const auto* found = std::get_if<T>(&route);
  return found ? *found : T{};
}

TEST(Routes, AreParsedFromTheTarget) {
  routed<Overview>("/");
  routed<Overview>("/?anything");
  EXPECT_EQ(routed<OverviewNews>("/live?since=a-b.3").since, "a-b.3");
  EXPECT_EQ(routed<OverviewNews>("/live").since, "");
  EXPECT_EQ(routed<TrajectoryPage>("/trajectory/12").id, 12);
  EXPECT_EQ(routed<TrajectoryNews>("/trajectory/12/live?since=x").id, 12);
  EXPECT_EQ(routed<TrajectoryNews>("/trajectory/12/live?since=x").since, "x");
  EXPECT_EQ(routed<PromptPage>("/trajectory/12/prompt/3.0").address, "3.0");
}

TEST(Routes, RefuseEveryOtherTarget) {
  for (const char* target :
       {"", "*", "live", "/lives", "/trajectory", "/trajectory/", "/trajectory/x", "/trajectory/-1",
        "/trajectory/0", "/trajectory/1x", "/trajectory/99999999999999999999", "/trajectory/1/",
        "/trajectory/1/prompt", "/trajectory/1/prompt/1.0/x", "http://127.0.0.1/", "/../etc/passwd"})
    routed<Unknown>(target);
}

TEST(Hosts, OnlyLoopbackNamesAreAccepted) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:7411", "localhost:1", "LOCALHOST", "[::1]", "[::1]:7411"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host :
       {"", ":7411", "rebound.example", "rebound.example:7411", "localhost.rebound.example",
        "127.0.0.1.rebound.example", "127.0.0.1@rebound.example", "localhost:x", "[::1", "[::1]x", "0.0.0.0",
        "192.168.0.7"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace ridgeline::serve
