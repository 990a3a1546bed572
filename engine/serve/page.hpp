// Renders the frame of every page: style, script, and the headers that tell browsers what to refuse. Pure.
//
// A page is one document that loads nothing. Its script asks `live` every two seconds for what changed, and
// replaces the parts of the same names. Parts are HTML made here, with all text from outside escaped. Should
// a text get through, the content security policy still runs no script but that one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/serve/http.hpp"

namespace ridgeline::serve {

/// Pairs of name and HTML.
using Parts = std::vector<std::pair<std::string, std::string>>;

/// A page before it is rendered.
struct Page {
  std::string title;
  std::string navigation;  ///< HTML, beside the title
  std::string live;        ///< the address that says what changed; "" if the page never changes
  std::string version;     ///< of the parts
  Parts parts;
};

/// Returns the page as a response.
Response render(const Page& page);

/// Returns the changed parts: {"version", "parts": {name: HTML}}.
Response news(const std::string& version, const Parts& parts);
/// Returns 204: nothing changed since the version that was asked for.
Response no_news();

/// Returns a page with a single paragraph; `text` is escaped.
Response plain(int status, const std::string& text);

/// Returns a link to `target`, an absolute address within the site; `text` is escaped.
std::string link(const std::string& target, const std::string& text);

}  // namespace ridgeline::serve
