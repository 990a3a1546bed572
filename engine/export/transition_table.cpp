#include "engine/export/transition_table.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include "engine/export/edges.hpp"
#include "engine/store/statement.hpp"
#include "engine/store/writer.hpp"

namespace ridgeline::exporting {
namespace {

std::string name_or_empty(const std::optional<Stage>& stage) {
  return stage ? std::string(to_string(*stage)) : std::string();
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += (text.empty() ? "" : "; ") + line;
  return text;
}

void insert(SQLite::Statement& statement, const Edge& edge) {
  const auto& t = edge.transition;
  const auto part = [&](double Ratio::* member) {
    return t.ratio ? std::optional(*t.ratio.*member) : std::nullopt;
  };
  const auto from = name_or_empty(t.from_stage), to = name_or_empty(t.to_stage), flags = joined(t.flags);
  store::write_row(statement, edge.after->ask.trajectory, edge.after->ask.step, edge.after->ask.slot,
                   edge.before->candidate->hash, edge.after->candidate->hash, t.kind, store::TextOrNull{from},
                   store::TextOrNull{to}, part(&Ratio::value), part(&Ratio::low), part(&Ratio::high),
                   t.flagged(), flags);
}

}  // namespace

int rebuild_transitions(const store::Reader& reader, store::Writer& writer) {
  int rows = 0;
  writer.transact([&](SQLite::Database& database) {
    rows = 0;
    database.exec("DELETE FROM transitions");
    SQLite::Statement statement(
        database, store::insert_into("transitions",
                                     "trajectory, step, slot, before, after, kind, from_stage, to_stage, "
                                     "ratio, ratio_low, ratio_high, flagged, flag_reason"));
    for (const auto& campaign : reader.campaigns())
      for (const auto& trajectory : reader.trajectories(campaign.id)) {
        const ExportedTrajectory exported{campaign, trajectory, reader.attempts(trajectory.id)};
        for (const auto& edge : edges_of(exported).edges) {
          insert(statement, edge);
          ++rows;
        }
      }
  });
  return rows;
}

}  // namespace ridgeline::exporting
