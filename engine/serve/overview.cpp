#include "engine/serve/overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "engine/history/figures.hpp"
#include "engine/history/trajectory_summary.hpp"
#include "engine/report/html.hpp"
#include "engine/serve/page.hpp"
#include "engine/store/model_name.hpp"

namespace ridgeline::serve {
namespace {

using report::escaped;
using Briefs = std::span<const store::AttemptBrief>;

std::string tile(const std::string& figure, const std::string& name) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>", escaped(figure), name);
}

/// Formats seconds, as minutes and hours where seconds would be hard to read.
std::string as_span(double seconds) {
  const auto whole = static_cast<long>(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string tiles(const CampaignView& view) {
  const auto finished = std::ranges::count_if(view.trajectories, [](const auto& trajectory) {
    return trajectory.state == store::TrajectoryState::finished;
  });
  const auto correct = std::ranges::count_if(view.briefs, [](const auto& brief) { return brief.correct; });
  const auto not_judged = std::ranges::count_if(view.briefs, [](const auto& brief) {
    return brief.evaluation == EvaluationStatus::evaluated && !brief.judged;
  });
  const auto tokens = static_cast<double>(view.total.tokens.input + view.total.tokens.output);
  std::string out = "<div class=\"tiles\">";
  out += tile(fmt::format("{} of {}", finished, view.trajectories.size()), "trajectories finished");
  out += tile(std::to_string(view.total.calls), "calls");
  out += tile(std::to_string(view.total.evaluations), "evaluations");
  if (not_judged > 0) out += tile(std::to_string(not_judged), "not judged");
  out += tile(std::to_string(correct), "correct");
  out += tile(tokens < 1000 ? fmt::format("{:.0f}", tokens) : history::as_count(tokens), "tokens");
  if (view.total.usd > 0) out += tile(fmt::format("{:.2f}", view.total.usd), "USD");
  out += tile(as_span(view.total.wall_seconds), "wall time");
  return out + "</div>";
}

std::string progress_bar(const std::vector<store::TrajectoryRecord>& trajectories) {
  std::map<store::TrajectoryState, int> counts;
  for (const auto& trajectory : trajectories) ++counts[trajectory.state];
  std::string out = "<div class=\"bar\">", label;
  // Pending trajectories have no segment: the rest of the bar is theirs.
  using enum store::TrajectoryState;
  for (const auto state : {finished, failed, incomplete, running, pending}) {
    if (counts[state] == 0) continue;
    const auto name = to_string(state);
    label += fmt::format("{}{} {}", label.empty() ? "" : ", ", counts[state], name);
    if (state != pending)
      out += fmt::format("<i class=\"{}\" style=\"width:{:.2f}%\"></i>", name,
                         100.0 * counts[state] / static_cast<double>(trajectories.size()));
  }
  return out + "</div><p class=\"quiet\">" + label + "</p>";
}

/// One bar for a candidate.
struct Bar {
  const char* kind;  ///< CSS class; the caption under the table explains the colours
  int height;        ///< per cent: the higher, the further the candidate came
};

Bar bar_of(const store::AttemptBrief& brief) {
  if (brief.answer != AnswerStatus::kernel || brief.evaluation == EvaluationStatus::cancelled)
    return {"none", 12};
  if (brief.correct) return {"ok", 100};
  if (!brief.evaluation) return {"busy", 50};
  if (*brief.evaluation != EvaluationStatus::evaluated) return {"none", 12};
  if (!brief.judged) return {"lost", 50};
  if (!brief.failed_at) return {"none", 12};
  constexpr int height_a_stage = 20;
  return {"", height_a_stage * (static_cast<int>(*brief.failed_at) + 1)};
}

/// Draws a bar for each candidate, as high as the stage that it reached.
std::string progress_bars(Briefs briefs) {
  constexpr std::size_t most = 60;  // the latest; more would not fit beside the other columns
  const auto shown = briefs.size() > most ? briefs.last(most) : briefs;
  std::string out = "<span class=\"walk\">";
  for (const auto& brief : shown) {
    if (brief.answer == AnswerStatus::prose) continue;  // a critic's words are no candidate
    const auto bar = bar_of(brief);
    out += fmt::format("<i class=\"{}\" style=\"height:{}%\" title=\"round {}: {}\"></i>", bar.kind,
                       bar.height, brief.round, escaped(history::brief_line(brief)));
  }
  return out + "</span>";
}

std::string last_cell(const store::TrajectoryRecord& trajectory, const history::TrajectorySummary& summary) {
  const bool ended_badly = trajectory.state == store::TrajectoryState::failed;
  if (!trajectory.detail.empty())
    return fmt::format("<td class=\"text {}\">{}</td>", ended_badly ? "bad" : "quiet",
                       escaped(trajectory.detail));
  if (!summary.last) return "<td class=\"text\"></td>";
  const auto& last = *summary.last;
  const bool judged = last.answer == AnswerStatus::kernel && last.judged;
  const char* kind = last.correct ? "good" : judged ? "bad" : "quiet";
  return fmt::format("<td class=\"text {}\">{}</td>", kind, escaped(history::brief_line(last)));
}

std::string row(const store::TrajectoryRecord& trajectory, Briefs briefs, const store::Totals& spent,
                bool with_model) {
  const auto summary = history::summary_of(briefs);
  const auto page = fmt::format("/trajectory/{}", trajectory.id);
  auto out = "<tr><td>" + link(page, std::to_string(trajectory.id)) + "</td><td class=\"text\">" +
             link(page, trajectory.task_name) + "</td><td class=\"text\">" + escaped(trajectory.strategy) +
             "</td>";
  if (with_model) out += "<td class=\"text\">" + escaped(store::model_name(trajectory)) + "</td>";
  return out +
         fmt::format(
             "<td>{}</td><td class=\"text state {}\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
             trajectory.seed, to_string(trajectory.state), to_string(trajectory.state), summary.rounds,
             spent.calls, summary.evaluations, summary.correct) +
         (summary.speedup > 0 ? fmt::format("<td><b>{:.2f}×</b></td>", summary.speedup) : "<td>–</td>") +
         "<td class=\"text\">" + progress_bars(briefs) + "</td>" + last_cell(trajectory, summary) + "</tr>\n";
}

bool several_models(const std::vector<store::TrajectoryRecord>& trajectories) {
  return std::ranges::any_of(trajectories, [&](const auto& trajectory) {
    return store::model_name(trajectory) != store::model_name(trajectories.front());
  });
}

/// Selects the trajectories to show, in the order of the plan; running ones first if not all fit.
std::vector<const store::TrajectoryRecord*> chosen(const std::vector<store::TrajectoryRecord>& all) {
  std::vector<const store::TrajectoryRecord*> running, others;
  const bool all_fit = all.size() <= most_rows;
  for (const auto& trajectory : all)
    (!all_fit && trajectory.state == store::TrajectoryState::running ? running : others)
        .push_back(&trajectory);
  running.insert(running.end(), others.begin(), others.end());
  running.resize(std::min(running.size(), most_rows));
  return running;
}

std::string table(const CampaignView& view) {
  const bool with_model = several_models(view.trajectories);
  const auto briefs = history::by_trajectory(view.briefs);
  auto out = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table class=\"trajectories\" id=\"campaign-{}\">"
      "<thead><tr><th>#</th><th class=\"text\">task</th><th class=\"text\">strategy</th>",
      view.campaign.id);
  if (with_model) out += "<th class=\"text\">model</th>";
  out +=
      "<th>seed</th><th "
      "class=\"text\">state</th><th>rounds</th><th>calls</th><th>evaluated</th><th>correct</th>"
      "<th>best</th><th class=\"text\">walk</th><th class=\"text\">last</th></tr></thead><tbody>\n";
  for (const auto* trajectory : chosen(view.trajectories)) {
    const auto steps = briefs.find(trajectory->id);
    const auto spent = view.spent.find(trajectory->id);
    out += row(*trajectory, steps == briefs.end() ? Briefs{} : steps->second,
               spent == view.spent.end() ? store::Totals{} : spent->second, with_model);
  }
  out += "</tbody></table></div>";
  if (view.trajectories.size() > most_rows)
    out += fmt::format(
        "<p class=\"quiet\">{} more trajectories: <code>ridgeline show STORE</code> lists them.</p>",
        view.trajectories.size() - most_rows);
  return out;
}

}  // namespace

CampaignView read_campaign(const store::Reader& reader, store::CampaignRecord campaign) {
  const auto id = campaign.id;
  return {std::move(campaign), reader.trajectories(id), reader.briefs(id), reader.totals_by_trajectory(id),
          reader.totals(id)};
}

std::string overview_html(const CampaignView& view) {
  auto out = "<section><h2>Campaign " + escaped(view.campaign.name) + "</h2>" + tiles(view);
  if (view.trajectories.empty()) return out + "<p class=\"quiet\">No trajectories.</p></section>";
  out += progress_bar(view.trajectories);
  if (const auto incomplete = history::incomplete_line(view.trajectories); !incomplete.empty())
    out += "<p class=\"quiet\">" + escaped(incomplete) + "</p>";
  // A campaign that has ended is read for what follows, which stands below.
  const bool under_way = std::ranges::any_of(view.trajectories, [](const auto& trajectory) {
    return trajectory.state == store::TrajectoryState::running ||
           trajectory.state == store::TrajectoryState::pending;
  });
  const auto legend =
      "<p class=\"quiet\">walk: a bar a candidate, as high as the stage it reached; green is correct, blue "
      "being "
      "judged, grey an answer without a kernel or a cancelled one; yellow was not judged: the machine "
      "failed, "
      "not the kernel.</p>";
  return out +
         report::folded(fmt::format("trajectories-of-campaign-{}", view.campaign.id),
                        fmt::format("{} trajectories", view.trajectories.size()), table(view) + legend,
                        under_way) +
         "</section>";
}

}  // namespace ridgeline::serve
