#include "llm_clients/http.hpp"

#include <algorithm>
#include <cctype>

#include "llm_clients/url.hpp"

namespace ridgeline::llm {

bool same_header(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string_view find_header(const HttpHeaders& headers, std::string_view name) {
  for (const auto& header : headers)
    if (same_header(header.name, name)) return header.value;
  return {};
}

std::string wire_text(const HttpRequest& request) {
  const Url url = parse_url(request.url, "the request's address");
  // Host comes first and exactly once, as RFC 9112, section 3.2 requires.
  const bool get = request.method == HttpMethod::get;
  std::string text = get ? "GET " : "POST ";
  text += url.target + " HTTP/1.1\r\nHost: " + url.host_header() + "\r\n";
  for (const auto& header : request.headers) text += header.name + ": " + header.value + "\r\n";
  // Beast does not decompress, so the server must not compress.
  text += "Accept-Encoding: identity\r\nUser-Agent: ridgeline\r\n";
  if (get) return text + "\r\n";
  text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n";
  return text + request.body;
}

}  // namespace ridgeline::llm
