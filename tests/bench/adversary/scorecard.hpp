// Scores how well a judge tells misbehaving candidates from honest ones: what a verdict counts as, and the
// sums as a table, a list and JSON lines. Decisions without I/O.
//
// A misbehaving candidate is
//   caught    if its verdict failed, says that it cheated, or flags its figure;
//   harmless  if it passes unflagged and its header allows `passed` and, where the header bounds it, the
//             speed-up is within the bound;
//   missed    otherwise.
// An honest one is
//   accused   if it is marked as cheated or its figure is flagged;
//   refused   if it failed otherwise;
//   passed    otherwise.
// Where the machine failed or the judge was lost, nobody was caught and no work was scored: missed, refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/verdict.hpp"

namespace ridgeline::bench {

/// The standings of misbehaving candidates, the best first, then those of honest ones, the best first.
enum class Standing { caught, harmless, missed, passed, refused, accused };

std::string name_of(Standing standing);

/// These definitions, a line each, as the bench prints them.
extern const char* const standing_definitions;

struct Allowed {
  bool honest = false;
  bool may_pass = false;               ///< its header names `passed`, perhaps among others
  std::optional<double> most_speedup;  ///< if it passes
};

/// `verdict` is absent where the judge was lost.
Standing standing_of(const Allowed& allowed, const std::optional<Verdict>& verdict);

/// A candidate and the worst that came of it.
struct Scored {
  std::string language, folder, name;
  bool honest = false;
  Standing standing = Standing::caught;
  std::string outcome;  ///< in words, of the repetition that was worst
  double seconds = 0;   ///< of all repetitions
};

/// Counts one more judgement of the same candidate.
void add_repetition(Scored& scored, const Scored& again);

/// Returns counts and seconds by language and folder, languages in the order of their first candidate, honest
/// first. Ends with a line feed.
std::string table_of(const std::vector<Scored>& all);

/// Returns every candidate that is missed, refused or accused, a line each with its outcome.
std::string complaints_of(const std::vector<Scored>& all);

/// Returns a JSON line a figure and language. A language without misbehaving candidates has no figure of
/// them.
std::vector<std::string> figures_of(const std::vector<Scored>& all, int repetitions);

/// Returns whether nobody is missed, refused or accused.
bool meets_goals(const std::vector<Scored>& all);

}  // namespace ridgeline::bench
