#include "llm_clients/connection.hpp"

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

// g++ 12 inlines the operator new of Asio's coroutine frames but not their operator delete, and warns that
// the two do not match.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace ridgeline::llm {

namespace asio = boost::asio;
using asio::awaitable;
using asio::redirect_error;
using asio::use_awaitable;

namespace {

constexpr std::size_t kTunnelReplyBytes = 64 * 1024;

/// Whether `host` is an address. SNI carries names only (RFC 6066, section 3).
bool is_ip_address(const std::string& host) {
  boost::system::error_code error;
  asio::ip::make_address(host, error);
  return !error;
}

std::optional<HttpEnd> connect_failure(std::string detail, std::string why) {
  return HttpEnd{HttpEndKind::connect_failed, std::move(detail), std::move(why), false};
}

/// Lower-cases the first letter of a system message, for the middle of a sentence.
std::string lower_first(std::string message) {
  if (!message.empty() && message[0] >= 'A' && message[0] <= 'Z')
    message[0] = static_cast<char>(message[0] + ('a' - 'A'));
  return message;
}

std::optional<HttpEnd> tls_failure(const Url& url, const boost::system::error_code& error, long verified) {
  std::string why = error.message();
  if (verified != X509_V_OK) why = X509_verify_cert_error_string(verified);
  return HttpEnd{HttpEndKind::tls_failed, "no TLS with " + url.authority() + ": " + why, "no TLS", false};
}

}  // namespace

awaitable<std::optional<HttpEnd>> Connection::open(Url url, const ProxySettings& proxy,
                                                   asio::ssl::context& tls) {
  // With a proxy, the proxy resolves the name: this machine's DNS often knows no outside names then.
  const Url* through = proxy_for(proxy, url);
  const Url& peer = through ? *through : url;
  auto failure = co_await connect(peer);
  if (failure) co_return failure;
  if (through) {
    failure = co_await tunnel(url, proxy);
    if (failure) co_return failure;
  }
  if (url.tls) failure = co_await handshake(url, tls);
  co_return failure;
}

awaitable<std::optional<HttpEnd>> Connection::connect(const Url& where) {
  ErrorCode error;
  const std::string port = std::to_string(where.port);
  const auto addresses =
      co_await resolver_.async_resolve(where.host, port, redirect_error(use_awaitable, error));
  if (error)
    co_return connect_failure("the name " + where.host + " is not found (" + error.message() + ")",
                              "name not found");
  co_await asio::async_connect(socket_, addresses, redirect_error(use_awaitable, error));
  if (error)
    co_return connect_failure("no connection to " + where.authority() + " (" + error.message() + ")",
                              lower_first(error.message()));
  // A request is one write, so Nagle's algorithm could only delay its last segment.
  socket_.set_option(Tcp::no_delay(true), error);
  co_return std::nullopt;
}

awaitable<std::optional<HttpEnd>> Connection::tunnel(const Url& url, const ProxySettings& proxy) {
  const std::string where = "the proxy " + proxy.proxy->authority();
  const std::string request = connect_request(proxy, url);
  ErrorCode error = co_await write(request);
  std::string reply;
  while (!error && reply.find("\r\n\r\n") == std::string::npos && reply.size() < kTunnelReplyBytes) {
    std::array<char, 4096> buffer;
    const auto size = co_await read(buffer.data(), buffer.size(), error);
    reply.append(buffer.data(), size);
  }
  const auto status = connect_status(reply);
  if (error && !status) co_return connect_failure(where + " broke off (" + error.message() + ")", "proxy");
  if (!status) co_return connect_failure(where + " does not speak HTTP", "proxy");
  const std::string why = "proxy " + std::to_string(*status);
  if (*status == 407)
    co_return connect_failure(where + " wants a user and password (HTTP 407): put them into HTTPS_PROXY",
                              why);
  if (*status < 200 || *status > 299)
    co_return connect_failure(
        where + " gives no tunnel to " + url.authority() + " (HTTP " + std::to_string(*status) + ")", why);
  co_return std::nullopt;
}

awaitable<std::optional<HttpEnd>> Connection::handshake(const Url& url, asio::ssl::context& tls) {
  tls_.emplace(socket_, tls);
  if (!is_ip_address(url.host)) SSL_set_tlsext_host_name(tls_->native_handle(), url.host.c_str());
  // The chain alone is not enough: any valid certificate would then do for any host.
  tls_->set_verify_callback(asio::ssl::host_name_verification(url.host));
  ErrorCode error;
  co_await tls_->async_handshake(asio::ssl::stream_base::client, redirect_error(use_awaitable, error));
  if (error) co_return tls_failure(url, error, SSL_get_verify_result(tls_->native_handle()));
  co_return std::nullopt;
}

awaitable<Connection::ErrorCode> Connection::write(std::string_view bytes) {
  ErrorCode error;
  const auto buffer = asio::buffer(bytes);
  if (tls_)
    co_await asio::async_write(*tls_, buffer, redirect_error(use_awaitable, error));
  else
    co_await asio::async_write(socket_, buffer, redirect_error(use_awaitable, error));
  co_return error;
}

awaitable<std::size_t> Connection::read(char* buffer, std::size_t size, ErrorCode& error) {
  const auto space = asio::buffer(buffer, size);
  std::size_t got = 0;
  if (tls_)
    got = co_await tls_->async_read_some(space, redirect_error(use_awaitable, error));
  else
    got = co_await socket_.async_read_some(space, redirect_error(use_awaitable, error));
  // Many servers close TCP without a close_notify. HTTP's own length or last chunk shows whether the body
  // is whole.
  if (error == asio::ssl::error::stream_truncated) error = asio::error::eof;
  co_return got;
}

bool Connection::idle() {
  if (!socket_.is_open()) return false;
  // Anything readable now (end of file, a TLS alert, a 408) means that the server has closed the connection
  // or is about to.
  ErrorCode error;
  char byte = 0;
  socket_.non_blocking(true, error);
  socket_.receive(asio::buffer(&byte, 1), Tcp::socket::message_peek, error);
  return error == asio::error::would_block;
}

void Connection::close() noexcept {
  ErrorCode ignored;
  resolver_.cancel();
  socket_.close(ignored);
}

}  // namespace ridgeline::llm
