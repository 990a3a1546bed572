// Describes what happened in a store, as text for people. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/core/terminal_text.hpp"
#include "engine/history/trajectory_summary.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::history {

/// Returns a campaign's line and a table of its trajectories. `origin` is the campaign that it is a branch
/// of, "" if none. The table fits the terminal.
std::string campaign_text(const store::CampaignRecord& campaign, const std::string& origin,
                          const std::vector<store::TrajectoryRecord>& trajectories,
                          const std::map<store::Id, store::Totals>& totals,
                          const std::map<store::Id, TrajectorySummary>& summaries,
                          const Terminal& terminal = {});

/// The source of a candidate by its hash; "" if it is not known.
using SourceOf = std::function<std::string(const Hash&)>;
SourceOf sources_in(const store::Reader& reader);  ///< `reader` must outlive the result

/// Returns a trajectory round by round: each request, its answer, the verdict, and the difference from the
/// candidate that was to be changed.
std::string trajectory_text(const store::TrajectoryRecord& trajectory,
                            const std::vector<store::AttemptRecord>& attempts, const SourceOf& source_of);

// The parts of that text, each without a line end.

/// "trajectory 3: geak on softmax (cpp), generator, seed 0: finished".
std::string title_of(const store::TrajectoryRecord& trajectory);
/// "2.0  iterative/refine, generator, 1200 + 400 tokens, 3.5 s".
std::string asked_line(const store::AskRecord& ask);
/// "answer: kernel 1f09ab…".
std::string answered_line(const store::AskRecord& ask);
/// "verdict: correct, 1.31x (1.28..1.35) [400 ms]".
std::string judged_line(const store::EvaluationRecord& evaluation);

/// Returns "cancelled before the strategy saw it: another kernel is correct". Returns "" if the attempt was
/// not cancelled, or if its request brought no answer, since the answer's line says so then.
std::string given_up_line(const store::AttemptRecord& attempt);

/// Holds what an attempt brought: the difference from the candidate that was to be changed, the source of a
/// first attempt, or a critic's words.
struct Change {
  bool diff = false;  ///< whether `text` is a unified difference
  std::string text;
};
Change change_of(const store::AttemptRecord& attempt, const SourceOf& source_of);

/// Returns the address "3.0" (step and slot), as `--prompt` expects it.
std::string address_of(const store::AskRecord& ask);

/// Returns the messages exactly as they were sent, each below a line with its role.
std::string prompt_text(const store::AskRecord& ask);

}  // namespace ridgeline::history
