// The frame of every page: style, script, and what browsers are told to refuse. Pure.
//
// A page is one document that loads nothing. Its script asks `live` every two seconds for what changed and
// puts it into the parts of the same name. Parts are HTML made here, with every text from outside escaped;
// the content security policy lets no script run but that one, should a text ever get through.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/serve/http.hpp"

namespace ridgeline::serve {

/// Name and HTML.
using Parts = std::vector<std::pair<std::string, std::string>>;

struct Page {
  std::string title;
  std::string navigation;  ///< HTML, beside the title
  std::string live;        ///< where its news are; "" if it never changes
  std::string version;     ///< of the parts
  Parts parts;
};

Response render(const Page& page);

/// {"version", "parts": {name: HTML}}.
Response news(const std::string& version, const Parts& parts);
/// The asker's version is the newest.
Response no_news();

/// `text` is escaped.
Response plain(int status, const std::string& text);

/// An absolute address within the site, as HTML: `text` is escaped.
std::string link(const std::string& target, const std::string& text);

}  // namespace ridgeline::serve
