// The real transport: Asio for sockets, names and TLS, Beast for HTTP/1.1.
//
// TLS 1.2 or newer, verified against the system's authorities (SSL_CERT_FILE and SSL_CERT_DIR are honoured)
// and the host's name; a pool of kept connections an origin; a tunnel through HTTPS_PROXY; four time limits a
// request. A kept connection that turns out closed before a byte of response is replaced by a fresh one,
// once. Redirects are not followed: what to do with a 3xx is the handler's.
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
  std::string trusted_pem;  ///< certificates trusted besides the system's
  HttpReaderLimits limits;
  std::size_t idle_per_origin = 64;
  double longest_idle = 45;  ///< seconds; servers close idle connections after a minute or so
};

/// `io` must outlive the transport. Throws BadInput where `trusted_pem` holds no certificate, MachineCannot
/// where OpenSSL cannot be set up.
std::unique_ptr<Transport> make_transport(boost::asio::io_context& io, TransportOptions options);

}  // namespace ridgeline::llm
