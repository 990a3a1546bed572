// Reader::briefs: a campaign at a glance, cheap enough to be asked for again and again while it runs.
#include <string>

#include "engine/store/reader.hpp"
#include "engine/store/statement.hpp"

namespace ridgeline::store {
namespace {

const std::string select_briefs =
    "SELECT a.trajectory, a.step, a.slot, a.round, a.critic, a.status, max(a.ended_at, coalesce(e.ended_at, "
    "0)),"
    " e.status, e.judged, e.correct, coalesce(e.speedup, 0), e.failed_at, e.reason"
    " FROM asks a"
    " LEFT JOIN evaluations e ON e.trajectory = a.trajectory AND e.step = a.step AND e.slot = a.slot"
    " WHERE a.trajectory IN (SELECT id FROM trajectories WHERE campaign = ?)"
    " ORDER BY a.trajectory, a.step, a.slot";

AttemptBrief read_brief(Columns& c) {
  AttemptBrief brief;
  brief.trajectory = c.number();
  brief.step = c.integer();
  brief.slot = c.integer();
  brief.round = c.integer();
  brief.critic = c.truth();
  brief.answer = c.name<AnswerStatus>();
  brief.ended_at = c.number();
  if (c.at_null()) return brief;
  brief.evaluation = c.name<EvaluationStatus>();
  brief.judged = c.truth();
  brief.correct = c.truth();
  brief.speedup = c.real();
  if (c.at_null()) return brief;
  brief.failed_at = c.name<Stage>();
  brief.reason = c.name<Reason>();
  return brief;
}

}  // namespace

std::vector<AttemptBrief> Reader::briefs(Id campaign) const {
  return guarded(*database_, [&] {
    SQLite::Statement rows(*database_, select_briefs);
    rows.bind(1, campaign);
    std::vector<AttemptBrief> briefs;
    while (rows.executeStep()) {
      Columns columns(rows);
      briefs.push_back(read_brief(columns));
    }
    return briefs;
  });
}

}  // namespace ridgeline::store
