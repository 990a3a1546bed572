#include "engine/report/trajectory_html.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/report/html.hpp"
#include "engine/report/verdict_html.hpp"

namespace ridgeline::report {
namespace {

/// Returns the CSS class of a diff's line. The head's "---" and "+++" are neither deletions nor additions.
const char* kind_of_line(std::string_view line, bool in_head) {
  if (in_head || line.starts_with("@@")) return "hunk";
  if (line.starts_with('+')) return "add";
  return line.starts_with('-') ? "del" : "";
}

// Lines that are the same have no element of their own: in a large report most of its elements would be
// theirs.
std::string diff_html(std::string_view text) {
  std::string out = "<pre class=\"diff\" tabindex=\"0\">\n";
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    const std::string kind = kind_of_line(line, number++ < 2);
    out += kind.empty() ? escaped(line) + '\n'
                        : fmt::format("<span class=\"{}\">{}</span>\n", kind, escaped(line));
    at = end + 1;
  }
  return out + "</pre>";
}

std::string change_html(const store::AttemptRecord& attempt, const history::SourceOf& source_of,
                        const std::string& id) {
  const auto change = history::change_of(attempt, source_of);
  if (change.text.empty()) return "";
  if (change.diff) return folded("change-" + id, "what changed", diff_html(change.text), true);
  const bool words = !attempt.candidate;  // a critic's
  return folded("change-" + id, words ? "the critic's words" : "source",
                preformatted(change.text, words ? "wrap" : ""), words);
}

std::string attempt_html(const store::AttemptRecord& attempt, const history::SourceOf& source_of,
                         const TrajectoryStyle& style) {
  const auto& ask = attempt.ask;
  const auto id = fmt::format("{}{}-{}", style.prefix, ask.step, ask.slot);
  auto out = fmt::format("<div class=\"attempt\"><p class=\"ask\">{}</p>{}<p>{}</p>",
                         escaped(history::asked_line(ask)), style.prompt_of(ask),
                         escaped(history::answered_line(ask)));
  if (attempt.evaluation)
    out += verdict_html(*attempt.evaluation, id);
  else if (attempt.candidate)
    out += "<p class=\"busy\">being judged</p>";
  if (const auto given_up = history::given_up_line(attempt); !given_up.empty())
    out += fmt::format("<p class=\"quiet\">{}</p>", escaped(given_up));
  out += change_html(attempt, source_of, id);
  // A critic's words are shown above already.
  if (style.answers && !ask.critic && !ask.response_text.empty())
    out += folded("answer-" + id, "the whole answer", preformatted(ask.response_text, "wrap"));
  return out + "</div>\n";
}

}  // namespace

std::string trajectory_html(const store::TrajectoryRecord& trajectory,
                            const std::vector<store::AttemptRecord>& attempts,
                            const history::SourceOf& source_of, const TrajectoryStyle& style) {
  auto out = "<p class=\"quiet\">" + escaped(history::title_of(trajectory)) + "</p>";
  if (!trajectory.detail.empty())
    out += fmt::format("<p class=\"{}\">{}</p>",
                       trajectory.state == store::TrajectoryState::failed ? "bad" : "quiet",
                       escaped(trajectory.detail));
  if (attempts.empty()) return out + "<p class=\"quiet\">Nothing was asked yet.</p>";
  int round = -1;
  for (const auto& attempt : attempts) {
    if (attempt.ask.round != round) out += fmt::format("<h3>round {}</h3>\n", round = attempt.ask.round);
    out += attempt_html(attempt, source_of, style);
  }
  return out;
}

std::string prompt_html(const store::AskRecord& ask) {
  std::string out = "<p class=\"quiet\">" + escaped(history::asked_line(ask)) + "</p>";
  for (const auto& message : nlohmann::json::parse(ask.prompt))
    out += "<h3>" + escaped(message.value("role", "?")) + "</h3>" +
           preformatted(message.value("content", ""), "wrap");
  return out;
}

}  // namespace ridgeline::report
