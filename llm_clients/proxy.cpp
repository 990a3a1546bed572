#include "llm_clients/proxy.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/core/error.hpp"
#include "llm_clients/base64.hpp"

namespace ridgeline::llm {
namespace {

/// Decodes a user name or password, which is percent-encoded in a URL (RFC 3986, section 3.2.1).
std::string percent_decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    int value = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 1] + 2, value, 16).ptr == &text[i + 1] + 2) {
      plain += static_cast<char>(value);
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> entries;
  std::string entry;
  for (const char c : text) {
    if (c != ',' && c != ' ' && c != '\t') {
      entry += c;
    } else if (!entry.empty()) {
      entries.push_back(lower(std::move(entry)));
      entry.clear();
    }
  }
  if (!entry.empty()) entries.push_back(lower(std::move(entry)));
  return entries;
}

/// Whether an entry of NO_PROXY covers `url`. There is no standard; this follows curl and Go: a name covers
/// its subdomains, with or without a dot or "*." in front.
bool covers(std::string_view entry, const Url& url) {
  if (entry == "*" || entry == url.authority()) return true;
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  if (entry == url.host) return true;
  const std::string suffix = entry.starts_with('.') ? std::string(entry) : '.' + std::string(entry);
  return url.host.ends_with(suffix) || '.' + url.host == suffix;
}

}  // namespace

ProxySettings proxy_settings(const std::function<const char*(const char*)>& getenv) {
  const auto variable = [&](const char* upper, const char* low) -> std::string {
    // The lower-case variable wins, as in curl.
    for (const char* name : {low, upper})
      if (const char* value = getenv(name); value && *value) return value;
    return {};
  };
  ProxySettings settings;
  settings.bypass = split_list(variable("NO_PROXY", "no_proxy"));
  std::string address = variable("HTTPS_PROXY", "https_proxy");
  if (address.empty()) return settings;

  // "proxy.example:3128" is common and means http.
  if (address.find("://") == std::string::npos) address = "http://" + address;
  const auto start = address.find("://") + 3;
  const auto end = std::min(address.find('/', start), address.size());
  // Cut out before parse_url, whose errors repeat the address: the password must be in none.
  if (const auto at = address.rfind('@', end); at != std::string::npos && at >= start) {
    settings.authorization = "Basic " + base64(percent_decoded(address.substr(start, at - start)));
    address.erase(start, at + 1 - start);
  }
  settings.proxy = parse_url(address, "HTTPS_PROXY");
  if (settings.proxy->tls)
    throw BadInput(
        "HTTPS_PROXY: a proxy that is itself spoken to over TLS is not supported; give its http:// address");
  return settings;
}

const Url* proxy_for(const ProxySettings& settings, const Url& url) {
  // See the header: plain http and loopback are local.
  if (!settings.proxy || !url.tls || url.loopback()) return nullptr;
  const bool bypassed =
      std::ranges::any_of(settings.bypass, [&](const std::string& entry) { return covers(entry, url); });
  return bypassed ? nullptr : &*settings.proxy;
}

std::string connect_request(const ProxySettings& settings, const Url& url) {
  std::string text = "CONNECT " + url.authority() + " HTTP/1.1\r\nHost: " + url.authority() + "\r\n";
  if (!settings.authorization.empty()) text += "Proxy-Authorization: " + settings.authorization + "\r\n";
  return text + "\r\n";
}

std::optional<int> connect_status(std::string_view reply) {
  if (!reply.starts_with("HTTP/1.") || reply.size() < 12) return std::nullopt;
  int status = 0;
  const char* digits = reply.data() + 9;
  if (std::from_chars(digits, digits + 3, status).ptr != digits + 3) return std::nullopt;
  return status;
}

}  // namespace ridgeline::llm
