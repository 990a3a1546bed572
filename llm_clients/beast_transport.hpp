// The real transport: Asio for sockets, names and TLS, Beast for HTTP/1.1.
//
// It requires TLS 1.2 or newer and verifies the host's name against the system's authorities (SSL_CERT_FILE
// and SSL_CERT_DIR override them). It pools idle connections per origin, tunnels through HTTPS_PROXY, and
// applies the limits of `Timeouts` to each request. If a pooled connection turns out to be closed while the
// request is written, it is replaced by a new one, once. Redirects are passed to the handler, not followed.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "llm_clients/http_reader.hpp"
#include "llm_clients/proxy.hpp"
#include "llm_clients/transport.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::llm {

struct TransportOptions {
  ProxySettings proxy;
  std::string trusted_pem;  ///< certificates to trust besides the system's; for tests
  HttpReaderLimits limits;
  std::size_t idle_per_origin = 64;
  double longest_idle = 45;  ///< seconds; below the minute after which servers close idle connections
};

/// `io` must outlive the transport; all calls and handlers run on its thread. Throws BadInput if
/// `trusted_pem` holds no certificate, MachineCannot if OpenSSL cannot be set up.
std::unique_ptr<Transport> make_transport(boost::asio::io_context& io, TransportOptions options);

}  // namespace ridgeline::llm
