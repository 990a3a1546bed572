#include "engine/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

std::string id_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += plain || c == '-' || c == '_' ? std::string(1, c)
                                         : fmt::format(".{:02x}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string link_to(const std::string& target, std::string_view text) {
  if (target.empty()) return escaped(text);
  return "<a href=\"" + escaped(target) + "\">" + escaped(text) + "</a>";
}

std::string section(const std::string& id, std::string_view title, std::string_view explanation,
                    const std::string& content) {
  auto out = fmt::format("<section id=\"{}\"><h2>{}</h2>\n", id, escaped(title));
  if (!explanation.empty()) out += "<p class=\"quiet\">" + escaped(explanation) + "</p>\n";
  return out + content + "</section>\n";
}

std::string folded(const std::string& id, std::string_view title, const std::string& content, bool open) {
  return fmt::format("<details id=\"{}\"{}><summary>{}</summary>{}</details>\n", id, open ? " open" : "",
                     escaped(title), content);
}

std::string preformatted(std::string_view text, const char* kind) {
  // HTML drops a line end right after <pre>: without one, a text's own first line end would be lost.
  return fmt::format("<pre class=\"{}\" tabindex=\"0\">\n{}</pre>", kind, escaped(text));
}

std::string table_html(const std::string& id, const std::vector<std::string>& head,
                       const std::vector<std::vector<Markup>>& rows) {
  auto out =
      fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table id=\"{}\"><thead><tr>", id);
  for (const auto& cell : head) out += "<th scope=\"col\">" + escaped(cell) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const auto& cell : row) out += "<td>" + cell.html + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string table_html(const std::string& id, const compare::Grid& grid) {
  std::vector<std::vector<Markup>> rows;
  for (const auto& row : grid.rows) {
    auto& cells = rows.emplace_back();
    for (const auto& cell : row) cells.push_back({escaped(cell)});
  }
  return table_html(id, grid.header, rows);
}

std::string views_html(const std::string& id, std::string_view label, const std::vector<View>& views) {
  if (views.empty()) return "";
  if (views.size() == 1) return views.front().html;
  const auto count = std::min(views.size(), most_views);
  auto out = fmt::format("<div class=\"views\" role=\"radiogroup\" aria-label=\"{}\">", escaped(label));
  for (std::size_t i = 0; i < count; ++i)
    out +=
        fmt::format("<input type=\"radio\" name=\"{0}\" id=\"{0}-{1}\"{2}><label for=\"{0}-{1}\">{3}</label>",
                    id, i, i == 0 ? " checked" : "", escaped(views[i].name));
  out += "<div class=\"chosen\">";
  for (std::size_t i = 0; i < count; ++i) out += "<div>" + views[i].html + "</div>";
  return out + "</div></div>\n";
}

}  // namespace ridgeline::report
