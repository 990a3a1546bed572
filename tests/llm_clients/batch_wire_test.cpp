// Tests the HTTP that only batches use: GET, and a POST that is sent once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "llm_clients/beast_transport.hpp"
#include "tests/llm_clients/fake_server.hpp"

namespace ridgeline::llm {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(WireText, AGetHasNoBodyAndNoLength) {
  HttpRequest request;
  request.url = "http://host:81/v1/batches/b-1?x=y";
  request.headers = {{"Authorization", "Bearer k"}};
  request.method = HttpMethod::get;
  const auto text = wire_text(request);
  EXPECT_THAT(text, testing::StartsWith("GET /v1/batches/b-1?x=y HTTP/1.1\r\nHost: host:81\r\n"));
  EXPECT_THAT(text, HasSubstr("Authorization: Bearer k\r\n"));
  EXPECT_THAT(text, Not(HasSubstr("Content-Length")));
  EXPECT_THAT(text, testing::EndsWith("\r\n\r\n"));
}

/// Sends `request` and runs until it has ended.
HttpEndKind end_of(Transport& transport, boost::asio::io_context& io, HttpRequest request) {
  std::optional<HttpEndKind> kind;
  HttpHandlers handlers{.head = [](const HttpHead&) {},
                        .body = [](std::string_view) { return Flow::more; },
                        .end = [&](const HttpEnd& end) { kind = end.kind; }};
  transport.send(std::move(request), std::move(handlers));
  io.restart();
  while (!kind && io.run_one() != 0) {
  }
  return kind.value();
}

TEST(BeastTransport, ARequestOnAFreshConnectionIsNeverSentTwice) {
  test::FakeServer server;
  boost::asio::io_context io;
  const auto transport = make_transport(io, {});
  HttpRequest request;
  request.url = "http://" + server.authority() + "/v1/batches";
  request.body = "{}";
  server.then({test::Bytes{test::response(200, "{}")}});
  server.then({test::Close{}});  // reads the second request and leaves
  server.then({test::Bytes{test::response(200, "{}")}});
  EXPECT_EQ(end_of(*transport, io, request), HttpEndKind::complete);
  request.fresh_connection = true;
  EXPECT_EQ(end_of(*transport, io, request), HttpEndKind::cut_short);
  EXPECT_EQ(server.received().size(), 2u);
}

}  // namespace
}  // namespace ridgeline::llm
