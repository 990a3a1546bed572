// Several addresses to ask one model: failover between endpoints, keys that a command prints, bodies without
// what a server does not take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <fstream>
#include <set>

#include "engine/core/error.hpp"
#include "llm_clients/resolved_entry.hpp"
#include "tests/llm_clients/client_rig.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

/// A runner whose programs end when the test says so.
struct Runs {
  std::vector<std::vector<std::string>> words;
  std::vector<std::function<void(CommandOutcome)>> done;
};
class HandRunner : public CommandRunner {
 public:
  explicit HandRunner(Runs& runs) : runs_(runs) {}
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

  void start_with_ways() {
    ProviderParts parts;
    parts.model = model;
    parts.addresses = std::move(addresses);
    parts.transport = std::make_unique<test::RecordingTransport>(wire);
    parts.timers = std::make_unique<test::ManualTimers>(clock);
    parts.commands = std::make_unique<HandRunner>(runs);
    parts.random = [] { return 0.5; };
    parts.on_endpoint = [this](const EndpointState& state) { states.push_back(state); };
    parts.endpoints = &endpoints;
    client = make_provider_client(std::move(parts));
  }
  void add_way(const std::string& base_url, const std::string& with_key) {
    auto way = model;
    way.base_url = base_url;
    addresses.push_back({std::move(way), KeySource(with_key)});
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
  rig.add_way("https://first/v1", "key-of-first");
  rig.add_way("https://second/v1", "key-of-second");
  return rig;
}

TEST(Failover, TheFirstIsAskedWhileItAnswers) {
  auto rig = two_endpoints();
  rig.start_with_ways();
  for (std::size_t i = 0; i < 3; ++i) {
    rig.ask();
    EXPECT_EQ(rig.host_of(i), "first");
    EXPECT_EQ(rig.key_of(i), "Bearer key-of-first");
    rig.answer(i);
  }
}

TEST(Failover, WhileItsBreakerIsOpenTheNextIsAsked) {
  auto rig = two_endpoints();
  rig.start_with_ways();
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

TEST(Failover, ALongWaitOfTheFirstIsNotWaitedFor) {
  auto rig = two_endpoints();
  rig.start_with_ways();
  rig.ask();
  rig.turn_away(0, 429, {{"Retry-After", "3600"}});
  rig.clock.advance(1);
  ASSERT_EQ(rig.wire.size(), 2u);
  EXPECT_EQ(rig.host_of(1), "second");
}

TEST(Failover, ARefusedKeyIsPassedOverAndTheLastOneIsTheAccountsFault) {
  auto rig = two_endpoints();
  rig.start_with_ways();
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

TEST(Failover, PatienceEndsWhenAllAreOut) {
  auto rig = two_endpoints();
  rig.start_with_ways();
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
  rig.start_with_ways();
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
  rig.start_with_ways();
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

TEST(KeyCommand, ATokenIsInNoTextThatIsKept) {
  auto rig = with_command();
  rig.start_with_ways();
  rig.ask();
  rig.prints("token-0001");
  rig.answer(0, "you sent token-0001");
  EXPECT_EQ(rig.results.all.at(0).text, "you sent [api key]");
  EXPECT_THAT(rig.results.all[0].raw_response, Not(HasSubstr("token-0001")));
}

TEST(KeyCommand, OneThatFailsIsWaitedForLikeAnEndpoint) {
  auto rig = with_command();
  rig.start_with_ways();
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

TEST(KeyCommand, WithoutPatienceItsFailureEndsAllThatWait) {
  auto rig = with_command();
  rig.model.patience.seconds = 0;
  rig.start_with_ways();
  rig.ask();
  rig.ask();
  rig.prints("", "ended with 1");
  ASSERT_EQ(rig.results.all.size(), 2u);
  EXPECT_EQ(rig.results.all[0].fault, Fault::endpoint);
  EXPECT_THAT(rig.results.all[0].detail, HasSubstr("models.m.key_command: print-token ended with 1"));
  EXPECT_EQ(rig.runs.words.size(), 1u);
}

TEST(BodyParts, WhatTheServerDoesNotTakeIsLeftOutFromThenOn) {
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

TEST(BodyParts, TheOtherNameOfTheLargestOutputIsLearnt) {
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

const char* variables(const char* name) {
  const std::string_view asked = name;
  if (asked == "AZURE_KEY") return "azure-secret-1";
  if (asked == "SECOND_KEY") return "second-secret";
  if (asked == "OPENAI_API_KEY") return "usual-secret";
  if (asked == "TORN") return "a\r\nX: y";
  return nullptr;
}

TEST(ResolvedEntry, VariablesInHeadersBecomeTheirValuesAndSecrets) {
  Model model;
  model.name = "m";
  model.base_url = "https://x.azure/openai/deployments/d?api-version=1";
  model.headers = {{"api-key", "k ${AZURE_KEY}"}, {"X-Title", "kernels of ours"}};
  const auto entry = resolve_entry(model, variables);
  ASSERT_EQ(entry.addresses.size(), 1u);
  EXPECT_EQ(entry.addresses[0].model.headers[0].second, "k azure-secret-1");
  EXPECT_EQ(entry.addresses[0].key.key(), "") << "the usual key is not sent to who asks for another";
  EXPECT_THAT(entry.secrets, ElementsAre("azure-secret-1", "k azure-secret-1"));
  model.headers = {{"api-key", "${TORN}"}};
  EXPECT_THAT([&] { resolve_entry(model, variables); },
              ThrowsMessage<BadInput>(HasSubstr("headers.api-key")));
}

TEST(ResolvedEntry, EachEndpointHasItsAddressAndKey) {
  Model model;
  model.name = "m";
  model.endpoints = {{"https://a/v1", "", ""}, {"https://b/v1", "SECOND_KEY", ""}};
  const auto entry = resolve_entry(model, variables);
  ASSERT_EQ(entry.addresses.size(), 2u);
  EXPECT_EQ(entry.addresses[0].key.key(), "usual-secret");
  EXPECT_EQ(entry.addresses[1].key.key(), "second-secret");
  EXPECT_EQ(entry.addresses[1].model.base_url, "https://b/v1");
  model.endpoints[1].base_url = "htp://b";
  EXPECT_THAT([&] { resolve_entry(model, variables); },
              ThrowsMessage<BadInput>(HasSubstr("models.m.endpoints.1.base_url")));
}

CommandOutcome outcome_of(const std::vector<std::string>& words, double limit = 60) {
  boost::asio::io_context io;
  const auto runner = make_command_runner(io, limit);
  std::optional<CommandOutcome> seen;
  runner->run(words, [&](const CommandOutcome& outcome) { seen = outcome; });
  EXPECT_FALSE(seen) << "not from inside";
  io.run();
  return seen.value_or(CommandOutcome{"", "no outcome"});
}

TEST(CommandRunner, GivesWhatIsPrintedWithoutTheSpaceAroundIt) {
  const auto outcome = outcome_of({"printf", "  a token\\n"});
  EXPECT_EQ(outcome.output, "a token");
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome_of({"printf", "%s", "$HOME; echo no shell"}).output, "$HOME; echo no shell");
  EXPECT_EQ(outcome_of({"cat"}).problem, "prints nothing") << "it has no input";
}

TEST(CommandRunner, SaysWhatWentWrongAndNotWhatWasPrinted) {
  EXPECT_EQ(outcome_of({"sh", "-c", "echo secret; echo secret >&2; exit 3"}).problem, "ended with 3");
  EXPECT_EQ(outcome_of({"sh", "-c", "kill -9 $$"}).problem, "was ended by signal 9");
  EXPECT_THAT(outcome_of({"/nonexistent/program"}).problem, HasSubstr("cannot be started"));
  EXPECT_EQ(outcome_of({"sh", "-c", "yes"}).problem, "prints more than a key");
  EXPECT_THAT(outcome_of({"sleep", "1000"}, 0.01).problem, HasSubstr("did not end within"));
  EXPECT_THAT(outcome_of({"sh", "-c", "exec >&-; sleep 1000"}, 0.05).problem,
              HasSubstr("did not end within"));
}

TEST(CommandRunner, WhatRunsEndsWithIt) {
  const test::ScratchFolder folder;
  boost::asio::io_context io;
  auto runner = make_command_runner(io);
  const auto file = (folder / "pid").string();
  runner->run({"sh", "-c", "sleep 1000 & echo $! >" + file + "; wait"},
              [](const CommandOutcome&) { FAIL(); });
  pid_t child = 0;
  while (!(std::ifstream(file) >> child)) io.poll();
  runner.reset();
  io.run();
  // Killed; until whoever inherited it has seen that, it is a zombie.
  std::string state;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  do {
    state = "gone";
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string skipped;
    if (stat >> skipped >> skipped >> state && state == "Z") state = "gone";
  } while (state != "gone" && std::chrono::steady_clock::now() < end);
  EXPECT_EQ(state, "gone");
}

}  // namespace
}  // namespace ridgeline::llm
