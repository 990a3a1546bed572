#include "engine/serve/server.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <optional>

#include "engine/core/error.hpp"

namespace ridgeline::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

/// How long a connection may be silent, a browser's idle connection too.
constexpr auto silence_limit = std::chrono::seconds(30);
constexpr std::uint32_t most_header_bytes = 16 * 1024;  ///< a local program could otherwise fill the memory

/// Reads and answers the requests of one connection, one after the other.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const Server::Handler& handler)
      : stream_(std::move(socket)), handler_(handler) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(most_header_bytes);
    stream_.expires_after(silence_limit);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (error) return self->close();  // gone, silent, or not HTTP
                              self->write();
                            });
  }

 private:
  void write() {
    const auto& request = parser_->get();
    auto answer = handler_({.method = std::string(request.method_string()),
                            .target = std::string(request.target()),
                            .host = std::string(request[http::field::host])});
    response_ = {};
    response_.result(static_cast<unsigned>(answer.status));
    response_.version(request.version());
    // A request's body is never read, so the connection must end after a request that has one.
    response_.keep_alive(request.keep_alive() && parser_->is_done());
    if (!answer.type.empty()) response_.set(http::field::content_type, answer.type);
    for (const auto& [name, value] : answer.headers) response_.set(name, value);
    if (request.method() != http::verb::head) response_.body() = std::move(answer.body);
    response_.prepare_payload();
    stream_.expires_after(silence_limit);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error || !self->response_.keep_alive()) return self->close();
      self->read();
    });
  }

  // Half-closed: the client still reads the response. The socket closes when the last handler lets go of it.
  void close() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  beast::tcp_stream stream_;
  const Server::Handler& handler_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
};

tcp::acceptor listen(asio::io_context& io, unsigned short port) {
  const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
  try {
    return tcp::acceptor(io, here);
  } catch (const boost::system::system_error& error) {
    if (error.code() == asio::error::address_in_use)
      throw MachineCannot(fmt::format(
          "port {} is in use on 127.0.0.1, maybe by another `ridgeline serve`: end that one, or name "
          "another port with --port (0 takes any free one)",
          port));
    throw MachineCannot(
        fmt::format("cannot listen on 127.0.0.1:{}: {}; name another port with --port (0 takes any free "
                    "one)",
                    port, error.code().message()));
  }
}

}  // namespace

struct Server::Impl {
  Impl(unsigned short port, Handler answer)
      : handler(std::move(answer)), acceptor(listen(io, port)), signals(io, SIGINT, SIGTERM) {
    signals.async_wait([this](beast::error_code error, int) {
      if (!error) io.stop();
    });
    accept();
  }

  void accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return pause_and_accept();
      std::make_shared<Connection>(std::move(socket), handler)->read();
      accept();
    });
  }

  /// Waits before it accepts again. Descriptors may have run out for a while, and asking at once would spin.
  void pause_and_accept() {
    pause.expires_after(std::chrono::milliseconds(200));
    pause.async_wait([this](beast::error_code error) {
      if (!error) accept();
    });
  }

  asio::io_context io{1};
  Handler handler;
  tcp::acceptor acceptor;
  asio::steady_timer pause{io};
  asio::signal_set signals;
};

Server::Server(unsigned short port, Handler handler)
    : impl_(std::make_unique<Impl>(port, std::move(handler))) {}
Server::~Server() = default;

unsigned short Server::port() const {
  return impl_->acceptor.local_endpoint().port();
}

void Server::run() {
  impl_->io.run();
}

void Server::stop() {
  impl_->io.stop();
}

}  // namespace ridgeline::serve
