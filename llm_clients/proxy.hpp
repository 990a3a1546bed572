// Decides which proxy, if any, to use for an origin. Only https uses a proxy, through CONNECT; plain http
// addresses are servers on this machine or in this cluster.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm_clients/url.hpp"

namespace ridgeline::llm {

struct ProxySettings {
  std::optional<Url> proxy;
  std::string authorization;        ///< the value of Proxy-Authorization, a secret; empty: none
  std::vector<std::string> bypass;  ///< NO_PROXY: "host", ".suffix", "host:port" or "*", lower case
};

/// Reads HTTPS_PROXY (or https_proxy) and NO_PROXY (or no_proxy) through `getenv`, which returns null for a
/// variable that is not set. Throws BadInput for a proxy that is not http://[user:password@]host:port.
ProxySettings proxy_settings(const std::function<const char*(const char*)>& getenv);

/// Returns the proxy for `url`, or null: for plain http, a loopback host, or a host that NO_PROXY names (a
/// name covers its subdomains).
const Url* proxy_for(const ProxySettings& settings, const Url& url);

/// Returns the CONNECT request for a tunnel to `url`.
std::string connect_request(const ProxySettings& settings, const Url& url);

/// Returns the status of the proxy's reply, or nothing if its first line is no HTTP.
std::optional<int> connect_status(std::string_view reply);

}  // namespace ridgeline::llm
