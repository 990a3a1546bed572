// Renders the frame of every page: style, script, and the headers that tell browsers what to refuse. Pure.
//
// A page is one document that loads nothing. Its script asks the address `live` every two seconds for what
// changed, and replaces the parts of the same names. Parts are HTML made in this room, with all text from
// outside escaped. Should a text get through unescaped, the content security policy still runs no script but
// ours.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/serve/http.hpp"

namespace ridgeline::serve {

/// The parts of a page, as pairs of name and HTML. A name is the id of the element that shows the part.
using Parts = std::vector<std::pair<std::string, std::string>>;

/// A page before it is rendered.
struct Page {
  std::string title;
  std::string navigation;  ///< HTML beside the title
  std::string live;        ///< address that says what changed; "" if the page never changes
  std::string version;     ///< version of the parts, sent back when asking for news
  Parts parts;
};

/// Returns the page as a response.
Response render(const Page& page);

/// Returns the changed parts: {"version", "parts": {name: HTML}}.
Response news(const std::string& version, const Parts& parts);
/// Returns status 204: nothing changed since the version that the request names.
Response no_news();

/// Returns a page with a single paragraph; `text` is escaped.
Response plain(int status, const std::string& text);

/// Returns a link to `target`, an absolute address within the site; `text` is escaped.
std::string link(const std::string& target, const std::string& text);

}  // namespace ridgeline::serve
