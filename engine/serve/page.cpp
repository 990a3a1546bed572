#include "engine/serve/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/hash.hpp"
#include "engine/report/assets.hpp"
#include "engine/report/html.hpp"
#include "engine/serve/assets.hpp"

namespace ridgeline::serve {
namespace {

using report::escaped;

int digit(char c) {
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

/// Encodes bytes given in hex as base64, the form of a digest in a policy.
std::string base64_of(const std::string& hex) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < hex.size(); at += 6) {
    unsigned bits = 0;  // three bytes, six hex digits, the missing ones 0
    for (std::size_t i = at; i < at + 6; ++i)
      bits = bits * 16 + (i < hex.size() ? static_cast<unsigned>(digit(hex[i])) : 0u);
    const auto kept = (std::min<std::size_t>(6, hex.size() - at) * 4 + 5) / 6;
    for (std::size_t i = 0; i < 4; ++i) out += i < kept ? letters[bits >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

/// The one script of every page.
const std::string& page_script() {
  static const std::string text = std::string(report::asset("report.js")) + std::string(script);
  return text;
}

/// Returns the content security policy: permits our own script, by its digest, and requests to this site.
/// Styles are inline, since the page is one document; they can run nothing.
std::string policy() {
  return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; connect-src 'self'; script-src "
         "'sha256-" +
         base64_of(sha256(page_script())) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

Response with_security_headers(Response response) {
  response.headers.insert(response.headers.end(), {{"Content-Security-Policy", policy()},
                                                   {"Cache-Control", "no-store"},
                                                   {"Referrer-Policy", "no-referrer"},
                                                   {"X-Content-Type-Options", "nosniff"},
                                                   {"Cross-Origin-Resource-Policy", "same-origin"}});
  return response;
}

}  // namespace

Response render(const Page& page) {
  std::string body = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<title>{}</title><link rel=\"icon\" href=\"data:,\">"
      // A browser without scripts loads the whole page again.
      "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n<style>{}{}</style></head>\n"
      "<body data-live=\"{}\" data-version=\"{}\">\n<header><nav>{}</nav><h1>{}</h1>",
      escaped(page.title), report::asset("report.css"), style, escaped(page.live), escaped(page.version),
      page.navigation, escaped(page.title));
  if (!page.live.empty()) body += "<p id=\"link\" role=\"status\">live</p>";
  body += "</header>\n<main>\n";
  for (const auto& [name, html] : page.parts) body += fmt::format("<div id=\"{}\">{}</div>\n", name, html);
  body += "</main>\n";
  body += fmt::format("<p id=\"hint\" role=\"status\" hidden></p>\n<script>{}</script>\n", page_script());
  return with_security_headers({.body = body + "</body></html>\n"});
}

Response news(const std::string& version, const Parts& parts) {
  nlohmann::json document{{"version", version}, {"parts", nlohmann::json::object()}};
  for (const auto& [name, html] : parts) document["parts"][name] = html;
  return with_security_headers({.type = "application/json", .body = dump_json(document)});
}

Response no_news() {
  return with_security_headers({.status = 204, .type = "", .body = ""});
}

Response plain(int status, const std::string& text) {
  auto response = render({.title = "Ridgeline",
                          .navigation = link("/", "all trajectories"),
                          .live = "",
                          .version = "",
                          .parts = {{"text", "<p>" + escaped(text) + "</p>"}}});
  response.status = status;
  return response;
}

std::string link(const std::string& target, const std::string& text) {
  return "<a href=\"" + escaped(target) + "\">" + escaped(text) + "</a>";
}

}  // namespace ridgeline::serve
