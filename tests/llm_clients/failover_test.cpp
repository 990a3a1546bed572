// A model entry with several addresses, with a key that a command prints, and with optional parts of the body
// that a server rejects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/llm_clients/client_rig.hpp"

namespace ridgeline::llm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A command runner whose programs end when the test says so.
struct Runs {
  std::vector<std::vector<std::string>> words;
  std::vector<std::function<void(CommandOutcome)>> done;
};
class ManualRunner : public CommandRunner {
 public:
  explicit ManualRunner(Runs& runs) : runs_(runs) {}
  void run(const std::vector<std::string>& words, std::function<void(CommandOutcome)> done) override {
    runs_.words.push_back(words);
    runs_.done.push_back(std::move(done));
  }

 private:
  Runs& runs_;
};

struct Rig : test::ClientRig {
  Runs runs;
  std::vector<ProviderParts::Address> addresses;

  void start_with_addresses() {
    ProviderParts parts;
    parts.model = model;
    parts.addresses = std::move(addresses);
    parts.transport = std::make_unique<test::RecordingTransport>(wire);
    parts.timers = std::make_unique<test::ManualTimers>(clock);
    parts.commands = std::make_unique<ManualRunner>(runs);
    parts.random = [] { return 0.5; };
    parts.on_endpoint = [this](const EndpointState& state) { states.push_back(state); };
    parts.endpoints = &endpoints;
    client = make_provider_client(std::move(parts));
  }
  void add_address(const std::string& base_url, const std::string& with_key) {
    auto address = model;
    address.base_url = base_url;
    addresses.push_back({std::move(address), KeySource(with_key)});
  }
  void prints(const std::string& token, const std::string& problem = "") {
    const auto done = std::move(runs.done.back());
    done({token, problem});
    clock.run();
  }
  std::string key_of(std::size_t which) const {
    return std::string(find_header(wire.at(which).request.headers, "Authorization"));
  }
  std::string host_of(std::size_t which) const {
    const auto& url = wire.at(which).request.url;
    return url.substr(8, url.find('/', 8) - 8);
  }
};

Rig two_endpoints() {
  Rig rig;
  rig.model.patience = {.seconds = 600, .longest_pause = 60};
  rig.model.retries.attempts = 2;
  rig.add_address("https://first/v1", "key-of-first");
  rig.add_address("https://second/v1", "key-of-second");
  return rig;
}

TEST(Failover, UsesTheFirstEndpointWhileItAnswers) {
  auto rig = two_endpoints();
  rig.start_with_addresses();
  for (std::size_t i = 0; i < 3; ++i) {
    rig.ask();
    EXPECT_EQ(rig.host_of(i), "first");
    EXPECT_EQ(rig.key_of(i), "Bearer key-of-first");
    rig.answer(i);
  }
}

TEST(Failover, UsesTheNextEndpointWhileABreakerIsOpen) {
  auto rig = two_endpoints();
  rig.start_with_addresses();
  for (int i = 0; i < 3; ++i) rig.ask();
  for (std::size_t i = 0; i < 3; ++i) rig.turn_away(i, 503);
  rig.clock.advance(0.6);  // the quick tries' waits, less than the breaker's pause
  ASSERT_EQ(rig.wire.size(), 6u);
  for (std::size_t i = 3; i < 6; ++i) {
    EXPECT_EQ(rig.host_of(i), "second");
    EXPECT_EQ(rig.key_of(i), "Bearer key-of-second");
    rig.answer(i);
  }
  EXPECT_EQ(rig.results.all.at(0).endpoint, "https://second/v1/chat/completions");
  rig.clock.advance(5);
  rig.ask();
  EXPECT_EQ(rig.host_of(6), "first") << "its pause is over: it is probed";
  rig.ask();
  EXPECT_EQ(rig.host_of(7), "second") << "and nobody waits for what becomes of that";
  rig.turn_away(6, 503);
  rig.clock.advance(10);
  EXPECT_EQ(rig.results.all.size(), 3u);
}

TEST(Failover, DoesNotWaitForTheFirstIfTheSecondIsFree) {
  auto rig = two_endpoints();
  rig.start_with_addresses();
  rig.ask();
  rig.turn_away(0, 429, {{"Retry-After", "3600"}});
  rig.clock.advance(1);
  ASSERT_EQ(rig.wire.size(), 2u);
  EXPECT_EQ(rig.host_of(1), "second");
}

TEST(Failover, SkipsARefusedKeyAndBlamesTheAccountForTheLast) {
  auto rig = two_endpoints();
  rig.start_with_addresses();
  rig.ask();
  rig.turn_away(0, 429, {}, R"({"error":{"code":"insufficient_quota","message":"empty"}})");
  ASSERT_EQ(rig.wire.size(), 2u);
  EXPECT_EQ(rig.host_of(1), "second");
  rig.answer(1);
  rig.ask();
  EXPECT_EQ(rig.host_of(2), "second") << "the first is not asked again";
  rig.turn_away(2, 401);
  ASSERT_EQ(rig.results.all.size(), 2u);
  EXPECT_EQ(rig.results.all[1].fault, Fault::account);
}

TEST(Failover, PatienceEndsWhenAllEndpointsFail) {
  auto rig = two_endpoints();
  rig.start_with_addresses();
  rig.ask();
  std::size_t seen = 0;
  std::set<std::string> asked;
  for (int i = 0; i < 7000 && rig.results.all.empty(); ++i) {
    for (; seen < rig.wire.size(); ++seen) {
      asked.insert(rig.host_of(seen));
      rig.turn_away(seen, 503);
    }
    rig.clock.advance(0.1);
  }
  EXPECT_EQ(asked.size(), 2u);
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].fault, Fault::endpoint);
}

Rig with_command(double refresh = 0) {
  Rig rig;
  rig.model.patience = {.seconds = 600, .longest_pause = 60};
  rig.addresses.push_back({rig.model, KeySource({"print-token", "--short"}, refresh)});
  return rig;
}

TEST(KeyCommand, RunsBeforeTheFirstRequestAndOnce) {
  auto rig = with_command();
  rig.start_with_addresses();
  rig.ask();
  rig.ask();
  EXPECT_TRUE(rig.wire.empty());
  ASSERT_EQ(rig.runs.words.size(), 1u);
  EXPECT_THAT(rig.runs.words[0], ElementsAre("print-token", "--short"));
  rig.prints("token-0001");
  ASSERT_EQ(rig.wire.size(), 2u);
  EXPECT_EQ(rig.key_of(0), "Bearer token-0001");
  rig.clock.advance(100'000);
  rig.ask();
  EXPECT_EQ(rig.runs.words.size(), 1u);
}

TEST(KeyCommand, RunsAgainAfterTheRefreshAndWhenTheTokenIsRefused) {
  auto rig = with_command(1800);
  rig.start_with_addresses();
  rig.ask();
  rig.prints("token-0001");
  rig.answer(0);
  rig.clock.advance(1801);
  rig.ask();
  rig.prints("token-0002");
  EXPECT_EQ(rig.key_of(1), "Bearer token-0002");
  rig.answer(1);
  rig.ask();
  rig.turn_away(2, 401);
  EXPECT_TRUE(rig.results.all.size() == 2 && rig.runs.words.size() == 3);
  rig.prints("token-0003");
  ASSERT_EQ(rig.wire.size(), 4u);
  EXPECT_EQ(rig.key_of(3), "Bearer token-0003");
  rig.turn_away(3, 401);
  ASSERT_EQ(rig.results.all.size(), 3u) << "a fresh one that is refused is the account's fault";
  EXPECT_EQ(rig.results.all[2].fault, Fault::account);
  EXPECT_EQ(rig.failed.size(), 2u);
}

TEST(KeyCommand, RemovesTheTokenFromEveryText) {
  auto rig = with_command();
  rig.start_with_addresses();
  rig.ask();
  rig.prints("token-0001");
  rig.answer(0, "you sent token-0001");
  EXPECT_EQ(rig.results.all.at(0).text, "you sent [api key]");
  EXPECT_THAT(rig.results.all[0].raw_response, Not(HasSubstr("token-0001")));
}

TEST(KeyCommand, AFailureIsWaitedForLikeAnOutage) {
  auto rig = with_command();
  rig.start_with_addresses();
  rig.ask();
  rig.prints("", "ended with 1");
  EXPECT_EQ(rig.runs.words.size(), 1u);
  ASSERT_EQ(rig.states.size(), 1u);
  EXPECT_EQ(rig.states[0].why, "key_command");
  rig.clock.advance(5);
  ASSERT_EQ(rig.runs.words.size(), 2u);
  rig.prints("two words");
  rig.clock.advance(5);
  ASSERT_EQ(rig.runs.words.size(), 3u);
  rig.prints("token-0001");
  rig.clock.advance(1);
  ASSERT_EQ(rig.wire.size(), 1u);
  rig.answer(0);
  EXPECT_TRUE(rig.results.all.at(0).ok());
}

TEST(KeyCommand, WithoutPatienceAFailureEndsAllWaitingRequests) {
  auto rig = with_command();
  rig.model.patience.seconds = 0;
  rig.start_with_addresses();
  rig.ask();
  rig.ask();
  rig.prints("", "ended with 1");
  ASSERT_EQ(rig.results.all.size(), 2u);
  EXPECT_EQ(rig.results.all[0].fault, Fault::endpoint);
  EXPECT_THAT(rig.results.all[0].detail, HasSubstr("models.m.key_command: print-token ended with 1"));
  EXPECT_EQ(rig.runs.words.size(), 1u);
}

TEST(BodyParts, OmitsARejectedPartFromThenOn) {
  Rig rig;
  rig.start();
  auto request = rig.request("x");
  request.seed = 7;
  rig.client->complete(request, rig.results.keep());
  rig.client->complete(request, rig.results.keep());
  rig.clock.run();
  EXPECT_THAT(rig.wire.at(0).request.body, HasSubstr("\"seed\":7"));
  const char* no_seed = R"({"error":{"message":"Unrecognized request argument supplied: seed"}})";
  rig.turn_away(0, 400, {}, no_seed);
  ASSERT_EQ(rig.wire.size(), 3u) << "sent again at once";
  EXPECT_THAT(rig.wire[2].request.body, Not(HasSubstr("seed")));
  rig.turn_away(1, 400, {}, no_seed);  // was under way with its seed
  ASSERT_EQ(rig.wire.size(), 4u);
  rig.answer(2);
  rig.answer(3);
  EXPECT_EQ(rig.results.all.size(), 2u);
  rig.client->complete(request, rig.results.keep());
  rig.clock.run();
  EXPECT_THAT(rig.wire[4].request.body, Not(HasSubstr("seed")));
  rig.turn_away(4, 400, {}, no_seed);
  EXPECT_EQ(rig.results.all.back().status, LlmStatus::bad_request) << "there was none in it";
}

TEST(BodyParts, LearnsTheOtherNameOfTheOutputLimit) {
  Rig rig;
  rig.model.retries.attempts = 1;
  rig.ask();
  EXPECT_THAT(rig.wire.at(0).request.body, HasSubstr("\"max_tokens\":100"));
  rig.turn_away(0, 400, {}, R"({"error":{"param":"max_tokens","code":"unsupported_parameter","message":
      "Use 'max_completion_tokens' instead."}})");
  ASSERT_EQ(rig.wire.size(), 2u);
  EXPECT_THAT(rig.wire[1].request.body, HasSubstr("\"max_completion_tokens\":100"));
  rig.answer(1);
  rig.ask();
  EXPECT_THAT(rig.wire[2].request.body, HasSubstr("max_completion_tokens"));
}

}  // namespace
}  // namespace ridgeline::llm
