// Which proxy, if any, stands between this machine and an origin. Only https goes through one, by CONNECT:
// plain http addresses are servers on this machine or in this cluster.
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
  std::string authorization;        ///< value of Proxy-Authorization; a secret; empty: none
  std::vector<std::string> bypass;  ///< NO_PROXY: "host", ".suffix", "host:port" or "*", lower case
};

/// Reads HTTPS_PROXY (or https_proxy) and NO_PROXY (or no_proxy) through `getenv`, which returns null for a
/// variable that is not set. Throws BadInput for a proxy that is not http://[user:password@]host:port.
ProxySettings proxy_settings(const std::function<const char*(const char*)>& getenv);

/// The proxy for `url`, or null: never for plain http, a loopback host, or a host that NO_PROXY names (a
/// name covers its subdomains).
const Url* proxy_for(const ProxySettings& settings, const Url& url);

/// The request that asks the proxy for a tunnel to `url`.
std::string connect_request(const ProxySettings& settings, const Url& url);

/// The status of a reply to it, from its first line; nothing where that is no HTTP.
std::optional<int> connect_status(std::string_view reply);

}  // namespace ridgeline::llm
