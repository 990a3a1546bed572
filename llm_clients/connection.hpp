// One connection to an origin, plain or TLS, straight or through a proxy's tunnel. Private to the transport:
// this header brings Asio with it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "llm_clients/http.hpp"
#include "llm_clients/proxy.hpp"
#include "llm_clients/url.hpp"

namespace ridgeline::llm {

class Connection {
 public:
  using Tcp = boost::asio::ip::tcp;
  using ErrorCode = boost::system::error_code;

  explicit Connection(const boost::asio::any_io_executor& executor)
      : resolver_(executor), socket_(executor) {}

  /// Name, connect, tunnel, TLS with the host name checked. Nothing returned: it is open. Has no time limit
  /// of its own; `close` from outside ends it (a name look-up in the system's resolver ends when that gives
  /// up).
  boost::asio::awaitable<std::optional<HttpEnd>> open(Url url, const ProxySettings& proxy,
                                                      boost::asio::ssl::context& tls);
  boost::asio::awaitable<ErrorCode> write(std::string_view bytes);
  /// Bytes read; 0 with `error` set. A TLS peer that leaves without saying so reads as end of file.
  boost::asio::awaitable<std::size_t> read(char* buffer, std::size_t size, ErrorCode& error);

  /// Open, and the peer has neither closed nor said anything since the last response.
  bool idle();
  void close() noexcept;

 private:
  boost::asio::awaitable<std::optional<HttpEnd>> connect(const Url& where);
  boost::asio::awaitable<std::optional<HttpEnd>> tunnel(const Url& url, const ProxySettings& proxy);
  boost::asio::awaitable<std::optional<HttpEnd>> handshake(const Url& url, boost::asio::ssl::context& tls);

  Tcp::resolver resolver_;
  Tcp::socket socket_;
  std::optional<boost::asio::ssl::stream<Tcp::socket&>> tls_;
};

}  // namespace ridgeline::llm
