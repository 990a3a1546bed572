// Connections over real sockets: reuse, TLS, proxies and redirects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/llm_clients/end_to_end_rig.hpp"

namespace ridgeline::llm {
namespace {

using namespace test;  // the server's script makes up most of these tests
using testing::HasSubstr;
using testing::Not;

TEST(EndToEndConnections, ReusesAConnectionAfterEveryProperEnd) {
  for (const auto speaks : {Speaks::plain, Speaks::tls}) {
    EndToEndRig rig(speaks);
    rig.model.timeouts.drain = 600;
    rig.server.then({whole_answer("1")});
    rig.server.then({stream_answer()});
    rig.server.then({Bytes{response(500, "{}")}});
    rig.server.then({Bytes{"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"}, whole_answer("4")});
    rig.server.then({whole_answer("5", "Connection: close\r\n")});
    rig.server.then({whole_answer("6")});
    for (int i = 0; i < 6; ++i) rig.ask();
    EXPECT_EQ(rig.results.all[3].text, "4");
    std::vector<int> connections;
    for (const auto& request : rig.server.received()) connections.push_back(request.connection);
    EXPECT_EQ(connections, (std::vector<int>{1, 1, 1, 1, 1, 2}));
  }
}

TEST(EndToEndConnections, ARequestLostOnAPooledConnectionCountsAsAnAttempt) {
  EndToEndRig rig;
  rig.model.retries.attempts = 2;
  rig.server.then({whole_answer("1")});
  rig.server.then({Close{}});  // reads the second request and leaves
  rig.server.then({whole_answer("2")});
  rig.ask();
  const auto result = rig.ask();
  EXPECT_EQ(result.text, "2") << result.detail;
  EXPECT_EQ(result.attempts, 2) << "what the server has read whole, it may have been paid for";
  EXPECT_EQ(rig.server.received().at(2).connection, 2);
}

TEST(EndToEndConnections, VerifiesCertificates) {
  EndToEndRig untrusted(Speaks::tls);
  untrusted.options.trusted_pem.clear();
  const auto result = untrusted.ask();
  EXPECT_EQ(result.status, LlmStatus::connection_failed);
  EXPECT_THAT(result.detail, HasSubstr("self-signed"));
  EXPECT_THAT(result.detail, HasSubstr("SSL_CERT_FILE"));

  EndToEndRig other_name(Speaks::tls);  // trusted, and made for another host
  other_name.model.base_url = "https://127.0.0.2:" + std::to_string(other_name.server.port()) + "/v1";
  EXPECT_EQ(other_name.ask().status, LlmStatus::connection_failed);
  EXPECT_TRUE(untrusted.server.received().empty() && other_name.server.received().empty());
}

TEST(EndToEndConnections, UsesTheProxysTunnelForHttps) {
  EndToEndRig rig;  // the proxy, which becomes the origin once the tunnel stands
  rig.model.base_url = "https://model.test/v1";
  const auto address = "http://user:p%40ss@" + rig.server.authority();
  rig.options.proxy = proxy_settings(
      [&](const char* name) { return std::string(name) == "HTTPS_PROXY" ? address.c_str() : nullptr; });
  rig.server.then({Bytes{"HTTP/1.1 200 Connection established\r\n\r\n"}, StartTls{}});
  rig.server.then({whole_answer("through")});
  rig.server.then({whole_answer("again")});
  EXPECT_EQ(rig.ask().text, "through");
  EXPECT_EQ(rig.ask().text, "again");
  const auto received = rig.server.received();
  ASSERT_EQ(received.size(), 3u);
  EXPECT_THAT(received[0].head, testing::StartsWith("CONNECT model.test:443 HTTP/1.1\r\n"));
  EXPECT_THAT(received[0].head, HasSubstr("Proxy-Authorization: Basic dXNlcjpwQHNz\r\n"));
  EXPECT_THAT(received[0].head, Not(HasSubstr(kKey)));
  EXPECT_THAT(received[1].head, HasSubstr("Host: model.test\r\n"));
  EXPECT_EQ(received[2].connection, 1) << "a tunnel is kept like any connection";
}

TEST(EndToEndConnections, NamesARefusingProxyWithoutItsPassword) {
  for (const auto& [status, said] :
       std::vector<std::pair<int, std::string>>{{407, "HTTPS_PROXY"}, {403, "HTTP 403"}}) {
    EndToEndRig rig;
    rig.model.base_url = "https://model.test/v1";
    const auto address = "http://user:secret@" + rig.server.authority();
    rig.options.proxy = proxy_settings(
        [&](const char* name) { return std::string(name) == "HTTPS_PROXY" ? address.c_str() : nullptr; });
    rig.server.then({Bytes{response(status, "")}});
    const auto result = rig.ask();
    EXPECT_EQ(result.status, LlmStatus::connection_failed);
    EXPECT_THAT(result.detail, HasSubstr(said));
    EXPECT_THAT(result.detail, HasSubstr(rig.server.authority()));
    EXPECT_THAT(result.detail, Not(HasSubstr("secret")));
  }
}

TEST(EndToEndConnections, ReportsThatNobodyListens) {
  EndToEndRig rig;
  const auto port = std::make_unique<FakeServer>()->port();  // gone again
  rig.model.base_url = "http://127.0.0.1:" + std::to_string(port);
  EXPECT_EQ(rig.ask().status, LlmStatus::connection_failed);
}

TEST(EndToEndConnections, DoesNotFollowRedirects) {
  EndToEndRig rig;
  FakeServer elsewhere;
  const auto location = "Location: http://" + elsewhere.authority() + "/v1/chat/completions\r\n";
  for (const int status : {301, 302, 303, 307, 308}) {
    rig.server.then({Bytes{response(status, "", "text/html", location)}});
    const auto result = rig.ask();
    EXPECT_EQ(result.status, LlmStatus::not_found);
    EXPECT_THAT(result.detail, HasSubstr(elsewhere.authority()));
  }
  EXPECT_TRUE(elsewhere.received().empty());
}

}  // namespace
}  // namespace ridgeline::llm
