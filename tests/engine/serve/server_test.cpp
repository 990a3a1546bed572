// The server over real sockets of the loopback interface.
#include "engine/serve/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <thread>

#include "engine/core/error.hpp"

namespace ridgeline::serve {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ServerTest : public testing::Test {
 protected:
  ~ServerTest() override {
    server.stop();
    thread.join();
  }

  /// Everything that comes back until the server closes.
  std::string exchange(const std::string& bytes) {
    tcp::socket socket(io);
    socket.connect({asio::ip::address_v4::loopback(), server.port()});
    asio::write(socket, asio::buffer(bytes));
    socket.shutdown(tcp::socket::shutdown_send);
    std::string answer;
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(answer), end);
    return answer;
  }

  asio::io_context io;
  Server server{0, [](const Request& request) {
                  Response answer{.body = request.method + ' ' + request.target + ' ' + request.host};
                  if (request.target == "/none") answer = {.status = 204, .type = "", .body = ""};
                  answer.headers.emplace_back("X-Test", "yes");
                  return answer;
                }};
  std::thread thread{[this] { server.run(); }};
};

TEST_F(ServerTest, PassesTheRequestToTheHandlerAndWritesItsResponse) {
  const auto answer = exchange("GET /a?b HTTP/1.1\r\nHost: localhost:5\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/html; charset=utf-8\r\n"));
  EXPECT_THAT(answer, HasSubstr("X-Test: yes\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\n\r\nGET /a?b localhost:5"));
}

TEST_F(ServerTest, AnswersSeveralRequestsOfAConnectionInOrder) {
  const auto answer = exchange(
      "GET /one HTTP/1.1\r\nHost: h\r\n\r\nGET /none HTTP/1.1\r\nHost: h\r\n\r\n"
      "GET /two HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(answer, testing::ContainsRegex("/one h(.|\n)*204 No Content(.|\n)*/two h"));
}

TEST_F(ServerTest, WritesNoBodyForHeadAndReadsNoBody) {
  const auto head = exchange("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << head;
  const auto post =
      exchange("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /smuggled HTTP/1.1\r\n\r\n");
  EXPECT_THAT(post, HasSubstr("POST /x h"));
  EXPECT_THAT(post, Not(HasSubstr("smuggled")));
}

TEST_F(ServerTest, ClosesOnMalformedRequestsAndOnEndlessHeaders) {
  EXPECT_EQ(exchange("\x16\x03\x01 no HTTP at all\r\n\r\n"), "");
  EXPECT_EQ(exchange("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n"), "");
  EXPECT_THAT(exchange("GET /still HTTP/1.0\r\n\r\n"), HasSubstr("GET /still"));
}

TEST_F(ServerTest, SaysThatAPortIsInUseAndWhatToDo) {
  try {
    const Server second(server.port(), [](const Request&) { return Response{}; });
    FAIL() << "two servers on one port";
  } catch (const MachineCannot& error) {
    EXPECT_THAT(error.what(), HasSubstr("port " + std::to_string(server.port()) + " is in use"));
    EXPECT_THAT(error.what(), HasSubstr("--port"));
  }
}

TEST_F(ServerTest, ListensOnTheLoopbackInterfaceOnly) {
  tcp::resolver resolver(io);
  boost::system::error_code error;
  tcp::socket socket(io);
  // 127.0.0.2 is this machine too, and not the address that is listened on.
  socket.connect({asio::ip::make_address("127.0.0.2"), server.port()}, error);
  EXPECT_EQ(error, asio::error::connection_refused);
}

}  // namespace
}  // namespace ridgeline::serve
