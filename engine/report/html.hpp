// Small pieces of HTML that the parts of a report are made of. All text from outside goes through `escaped`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/grid.hpp"

namespace ridgeline::report {

/// Escapes text for HTML and SVG, in content and attribute values; drops control characters that XML forbids.
std::string escaped(std::string_view text);

/// Makes a name fit for an element's id: letters, digits, "-" and "_" stay, other bytes become "." and their
/// number, so that different names have different ids.
std::string id_of(std::string_view name);

/// A link; `text` is escaped, an empty target gives the text alone.
std::string link_to(const std::string& target, std::string_view text);

/// A section with a heading. `id` is what links lead to.
std::string section(const std::string& id, std::string_view title, std::string_view explanation,
                    const std::string& content);

/// Content that folds below a line; `id` keeps it open when a live page is refreshed.
std::string folded(const std::string& id, std::string_view title, const std::string& content,
                   bool open = false);

/// Preformatted text; `kind` is a CSS class.
std::string preformatted(std::string_view text, const char* kind = "");

/// A cell of a table that is HTML already.
struct Markup {
  std::string html;
};

/// Returns a table that a reader with scripts can sort by its heads, and filter if it has many rows. `id` is
/// unique in the page.
std::string table_html(const std::string& id, const std::vector<std::string>& head,
                       const std::vector<std::vector<Markup>>& rows);
std::string table_html(const std::string& id, const compare::Grid& grid);

/// Views of which a reader chooses one, without a script: a radio button a view. At most `most_views`.
struct View {
  std::string name;
  std::string html;
};
inline constexpr std::size_t most_views = 12;
std::string views_html(const std::string& id, std::string_view label, const std::vector<View>& views);

}  // namespace ridgeline::report
