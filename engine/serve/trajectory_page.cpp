#include "engine/serve/trajectory_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/compare/svg.hpp"
#include "engine/history/verdict_line.hpp"
#include "engine/serve/page.hpp"

namespace ridgeline::serve {
namespace {

using compare::escaped;

/// Returns the CSS class of a diff's line. The head's "---" and "+++" are neither deletions nor additions.
const char* kind_of(std::string_view line, bool in_head) {
  if (in_head || line.starts_with("@@")) return "hunk";
  if (line.starts_with('+')) return "add";
  return line.starts_with('-') ? "del" : "";
}

std::string diff_html(const std::string& text) {
  std::string out = "<pre>";
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    out += fmt::format("<span class=\"{}\">{}</span>", kind_of(line, number++ < 2), escaped(line));
    at = end + 1;
  }
  return out + "</pre>";
}

std::string block(const std::string& text, const char* kind = "") {
  // HTML drops a line end right after <pre>: without one, a text's own first line end would be lost.
  return fmt::format("<pre class=\"{}\">\n{}</pre>", kind, escaped(text));
}

/// Returns a section that folds. Its `id` keeps it open when the page is refreshed.
std::string folded(const std::string& id, const char* title, const std::string& content, bool open = false) {
  return fmt::format("<details id=\"{}\"{}><summary>{}</summary>{}</details>", id, open ? " open" : "", title,
                     content);
}

std::string verdict_html(const store::EvaluationRecord& evaluation) {
  const bool judged = evaluation.status == EvaluationStatus::evaluated && evaluation.verdict.judged();
  const char* kind = !judged ? "quiet" : evaluation.verdict.correct() ? "good" : "bad";
  auto html = fmt::format("<p class=\"{}\">{}</p>", kind, escaped(history::judged_line(evaluation)));
  for (const auto& line : history::remark_lines(evaluation.verdict))
    html += fmt::format("<p class=\"quiet\">{}</p>", escaped(line));
  return html;
}

std::string change_html(const store::AttemptRecord& attempt, const history::SourceOf& source_of,
                        const std::string& id) {
  const auto change = history::change_of(attempt, source_of);
  if (change.text.empty()) return "";
  if (change.diff) return folded("change-" + id, "what changed", diff_html(change.text), true);
  const bool words = !attempt.candidate;  // a critic's
  return folded("change-" + id, words ? "the critic's words" : "source",
                block(change.text, words ? "wrap" : ""), words);
}

std::string attempt_html(const store::TrajectoryRecord& trajectory, const store::AttemptRecord& attempt,
                         const history::SourceOf& source_of) {
  const auto& ask = attempt.ask;
  const auto id = fmt::format("{}-{}", ask.step, ask.slot);
  auto out = fmt::format(
      "<div class=\"attempt\"><p class=\"ask\">{} · {}</p><p>{}</p>", escaped(history::asked_line(ask)),
      link(fmt::format("/trajectory/{}/prompt/{}", trajectory.id, history::address_of(ask)), "prompt"),
      escaped(history::answered_line(ask)));
  if (attempt.evaluation)
    out += verdict_html(*attempt.evaluation);
  else if (attempt.candidate)
    out += "<p class=\"busy\">being judged</p>";
  if (const auto given_up = history::given_up_line(attempt); !given_up.empty())
    out += fmt::format("<p class=\"quiet\">{}</p>", escaped(given_up));
  out += change_html(attempt, source_of, id);
  // A critic's words are shown above already.
  if (!ask.critic && !ask.response_text.empty())
    out += folded("answer-" + id, "the whole answer", block(ask.response_text, "wrap"));
  return out + "</div>\n";
}

}  // namespace

std::string trajectory_html(const store::TrajectoryRecord& trajectory,
                            const std::vector<store::AttemptRecord>& attempts,
                            const history::SourceOf& source_of) {
  auto out = "<p class=\"quiet\">" + escaped(history::title_of(trajectory)) + "</p>";
  if (!trajectory.detail.empty())
    out += fmt::format("<p class=\"{}\">{}</p>",
                       trajectory.state == store::TrajectoryState::failed ? "bad" : "quiet",
                       escaped(trajectory.detail));
  if (attempts.empty()) return out + "<p class=\"quiet\">Nothing was asked yet.</p>";
  int round = -1;
  for (const auto& attempt : attempts) {
    if (attempt.ask.round != round) out += fmt::format("<h2>round {}</h2>\n", round = attempt.ask.round);
    out += attempt_html(trajectory, attempt, source_of);
  }
  return out;
}

std::string prompt_html(const store::AskRecord& ask) {
  std::string out = "<p class=\"quiet\">" + escaped(history::asked_line(ask)) + "</p>";
  for (const auto& message : nlohmann::json::parse(ask.prompt))
    out +=
        "<h2>" + escaped(message.value("role", "?")) + "</h2>" + block(message.value("content", ""), "wrap");
  return out;
}

}  // namespace ridgeline::serve
