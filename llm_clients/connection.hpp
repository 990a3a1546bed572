// One connection to an origin: plain or TLS, direct or through a proxy's tunnel. Private to the transport,
// because this header includes Asio.
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

  /// Resolves the name, connects, tunnels, and does the TLS handshake with the host's name checked. Returns
  /// nothing on success, else why it failed. Has no time limit: `close` from outside ends it (except a name
  /// look-up, which ends when the system's resolver gives up).
  boost::asio::awaitable<std::optional<HttpEnd>> open(Url url, const ProxySettings& proxy,
                                                      boost::asio::ssl::context& tls);
  boost::asio::awaitable<ErrorCode> write(std::string_view bytes);
  /// Returns the number of bytes read, or 0 with `error` set. A TLS peer that closes without a close_notify
  /// reads as end of file.
  boost::asio::awaitable<std::size_t> read(char* buffer, std::size_t size, ErrorCode& error);

  /// Whether the connection is open and the peer has neither closed it nor sent a byte since the last
  /// response.
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
