// Pages of a store as a campaign leaves it, without a socket.
#include "engine/serve/site.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/core/hash.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::serve {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class SiteTest : public testing::Test {
 protected:
  SiteTest() {
    for (const auto& one : filled.reader().trajectories())
      filled.writer().set_state(one.id, store::TrajectoryState::running, "", 1, {});
    filled.writer().flush();
    settle();
  }

  /// As if the last write were `hours` ago.
  void settle(int hours = 1) {
    for (const auto* end : {"", "-wal"})
      if (std::filesystem::exists(opened.path() + end))
        std::filesystem::last_write_time(
            opened.path() + end, std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  }
  Response get(const std::string& target, const std::string& host = "127.0.0.1:7411") {
    return site.respond({.method = "GET", .target = target, .host = host});
  }
  json news(const std::string& target) {
    const auto answer = get(target);
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.type, "application/json");
    return json::parse(answer.body);
  }
  void work() {
    for (auto& one : std::exchange(queued, {})) one();
  }

  store::samples::FilledStore filled;
  const store::Store opened = store::Store::open(filled.store().path(), store::OpenMode::read_only);
  std::vector<std::function<void()>> queued;  ///< for the background
  double now = 0;
  Site site{opened, [this](std::function<void()> one) { queued.push_back(std::move(one)); },
            [this] { return now; }};
};

TEST_F(SiteTest, TheOverviewShowsEveryTrajectoryAndItsState) {
  const auto page = get("/");
  EXPECT_EQ(page.status, 200);
  for (const auto& one : filled.reader().trajectories()) {
    EXPECT_THAT(page.body, HasSubstr("href=\"/trajectory/" + std::to_string(one.id) + "\""));
    EXPECT_THAT(page.body, HasSubstr(one.strategy));
  }
  EXPECT_THAT(page.body, HasSubstr("0 of 9</b><span>trajectories finished"));
  EXPECT_THAT(page.body, HasSubstr("9 running"));
  EXPECT_THAT(page.body, HasSubstr("<b>2.00×</b>"));
  EXPECT_THAT(page.body, HasSubstr("title=\"round 2: correctness: wrong_values\""));
}

TEST_F(SiteTest, AComparisonIsComputedInTheBackgroundAndComesWithTheNews) {
  EXPECT_THAT(get("/").body, Not(HasSubstr("Strategies at equal budget")));
  const auto before = news("/live").at("version").get<std::string>();
  ASSERT_EQ(queued.size(), 1u) << "one at a time";
  work();
  const auto after = news("/live?since=" + before);
  EXPECT_THAT(after.at("parts").at("comparison").get<std::string>(), HasSubstr("Strategies at equal budget"));
  EXPECT_THAT(after.at("parts").at("comparison").get<std::string>(), HasSubstr("<svg "));
  EXPECT_EQ(get("/live?since=" + after.at("version").get<std::string>()).status, 204);
  EXPECT_TRUE(queued.empty()) << "nothing changed";
}

TEST_F(SiteTest, ANewComparisonWaitsTenTimesAsLongAsTheLastTook) {
  get("/");
  auto slow = std::exchange(queued, {});
  Site timed(
      opened, [this](std::function<void()> one) { queued.push_back(std::move(one)); },
      [this] { return now += 2; });  // every look at the clock takes two seconds
  const Request look{.method = "GET", .target = "/live", .host = "localhost"};
  timed.respond(look);
  ASSERT_EQ(queued.size(), 1u);
  work();
  for (int hours = 2; hours < 11; ++hours) {  // each look sees another commit
    settle(hours);
    timed.respond(look);
  }
  EXPECT_TRUE(queued.empty());
  settle(11);
  timed.respond(look);
  EXPECT_EQ(queued.size(), 1u);
}

TEST_F(SiteTest, ACommitChangesTheVersion) {
  get("/");
  work();
  const auto first = news("/live").at("version").get<std::string>();
  EXPECT_EQ(get("/live?since=" + first).status, 204);
  filled.writer().set_state(1, store::TrajectoryState::failed, "the judge was lost", 2, {});
  filled.writer().flush();
  settle(2);
  const auto second = news("/live?since=" + first);
  EXPECT_NE(second.at("version"), first);
  EXPECT_THAT(second.at("parts").at("progress").get<std::string>(), HasSubstr("the judge was lost"));
}

TEST_F(SiteTest, ATrajectoryIsShownRoundByRound) {
  const auto page = get("/trajectory/1");
  EXPECT_EQ(page.status, 200);
  for (const char* part : {"<h1>matmul/iterative-gep/7</h1>", "<h3>round 3</h3>",
                           "verdict: fails build: compile_error", "class=\"add\"", "The tail is not handled.",
                           "href=\"/trajectory/1/prompt/0.0\"", "data-live=\"/trajectory/1/live\""})
    EXPECT_THAT(page.body, HasSubstr(part));
  const auto version = news("/trajectory/1/live").at("version").get<std::string>();
  EXPECT_EQ(get("/trajectory/1/live?since=" + version).status, 204);
}

TEST_F(SiteTest, APromptIsShownAsItWasSent) {
  const auto page = get("/trajectory/1/prompt/0.0");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("You write kernels."));
  EXPECT_THAT(page.body, HasSubstr("Step 0 of softmax."));
  const auto missing = get("/trajectory/1/prompt/0.9");
  EXPECT_EQ(missing.status, 404);
}

TEST_F(SiteTest, AnUnknownPageIsNotFound) {
  for (const char* target : {"/trajectory/99", "/trajectory/99/live", "/nothing", "/trajectory/1/prompt/x"})
    EXPECT_EQ(get(target).status, 404) << target;
}

TEST_F(SiteTest, OnlyGetAndOnlyLoopbackAreAnswered) {
  EXPECT_EQ(get("/", "rebound.example:7411").status, 403);
  EXPECT_THAT(get("/", "rebound.example").body, Not(HasSubstr("matmul")));
  const auto posted = site.respond({.method = "POST", .target = "/", .host = "localhost"});
  EXPECT_EQ(posted.status, 405);
  EXPECT_THAT(posted.headers, testing::Contains(testing::Pair("Allow", "GET")));
}

TEST_F(SiteTest, AStoreThatIsGoneGivesAnErrorUntilItIsBack) {
  const auto away = opened.path() + ".away";
  std::filesystem::rename(opened.path(), away);
  EXPECT_EQ(get("/live").status, 503);
  std::filesystem::rename(away, opened.path());
  EXPECT_EQ(get("/live").status, 200);
}

TEST_F(SiteTest, TextFromModelsIsEscapedEverywhere) {
  const std::string evil = "</pre><script>alert(\"'&1\")</script>";
  auto& writer = filled.writer();
  auto source = make_candidate(Language::cpp, evil + "\n");
  auto asked = store::samples::ask(1, 50, 0, &source);
  asked.role = asked.model = asked.detail = asked.response_text = evil;
  asked.prompt = json::array({{{"role", evil}, {"content", evil}}}).dump();
  writer.record(asked, source, {});
  auto verdict = store::samples::failed_verdict("t", source.hash, Stage::call, Reason::crashed);
  verdict.at(Stage::call).detail = evil;
  writer.record(store::samples::evaluation(1, 50, 0, verdict), {});
  auto changed = make_candidate(Language::cpp, evil + "\n" + evil, {source.hash});
  writer.record(store::samples::ask(1, 51, 0, &changed), changed, {});
  auto critic = store::samples::ask(1, 52, 0, nullptr);
  critic.critic = true;
  critic.status = AnswerStatus::prose;
  critic.response_text = evil;
  writer.record(critic, std::nullopt, {});
  writer.set_state(1, store::TrajectoryState::failed, evil, 1, {});
  writer.flush();
  settle(2);
  get("/");
  work();
  for (const char* target :
       {"/", "/live", "/trajectory/1", "/trajectory/1/live", "/trajectory/1/prompt/50.0"}) {
    const auto body = get(target).body;
    EXPECT_THAT(body, Not(HasSubstr("<script>alert"))) << target;
    EXPECT_THAT(body, HasSubstr("&lt;script&gt;alert")) << target;
  }
}

TEST_F(SiteTest, ThePolicyAllowsOnlyThePagesOwnScript) {
  const auto page = get("/");
  const auto begin = page.body.find("<script>") + 8;
  const auto script = page.body.substr(begin, page.body.find("</script>") - begin);
  std::string policy;
  for (const auto& [name, value] : page.headers)
    if (name == "Content-Security-Policy") policy = value;
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, Not(HasSubstr("script-src 'unsafe-inline'")));
  const auto at = policy.find("'sha256-");
  ASSERT_NE(at, std::string::npos);
  const auto digest = policy.substr(at + 8, policy.find('\'', at + 1) - at - 8);
  ASSERT_EQ(digest.size(), 44u);
  // The digest back in hex.
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits, hex;
  for (const char c : digest.substr(0, 43))
    for (int bit = 5; bit >= 0; --bit) bits += (letters.find(c) >> bit & 1) != 0 ? '1' : '0';
  for (std::size_t i = 0; i + 4 <= 256; i += 4)
    hex += "0123456789abcdef"[std::stoi(bits.substr(i, 4), nullptr, 2)];
  EXPECT_EQ(hex, sha256(script));
}

TEST_F(SiteTest, APageLoadsNothingFromElsewhere) {
  get("/");
  work();
  for (const char* target : {"/", "/trajectory/1"}) {
    const auto body = get(target).body;
    for (const char* outside : {"http:", "https:", "src=", "@import", "url(", "href=\"//"})
      EXPECT_THAT(body, Not(HasSubstr(outside))) << target;
  }
}

}  // namespace
}  // namespace ridgeline::serve
