// Reader's sums: what a campaign or a trajectory has spent, for budgets at resume and for comparisons.
#include <string>

#include "engine/store/reader.hpp"
#include "engine/store/runs.hpp"
#include "engine/store/statement.hpp"

namespace ridgeline::store {
namespace {

const std::string asks_spent =
    "SELECT trajectory, count(*), sum(input_tokens), sum(output_tokens), sum(cached_tokens), "
    "sum(reasoning_tokens), sum(cache_write_tokens),"
    " sum(usd), sum(unsettled_tokens), sum(unsettled_usd), sum(seconds) FROM asks WHERE status NOT IN "
    "('budget_exhausted', 'missing_recording')"
    // One that was given up before it was sent is no call.
    " AND (status <> 'cancelled' OR llm_status <> '')"
    " AND trajectory IN (SELECT id FROM trajectories WHERE campaign = ?) GROUP BY trajectory";
const std::string failed_spent =
    "SELECT trajectory, count(*), sum(input_tokens), sum(output_tokens), sum(cached_tokens), "
    "sum(reasoning_tokens),"
    " sum(cache_write_tokens), sum(usd), sum(unsettled_tokens), sum(unsettled_usd), sum(seconds)"
    " FROM failed_attempts WHERE trajectory IN (SELECT id FROM trajectories WHERE campaign = ?) GROUP BY "
    "trajectory";
const std::string evaluations_spent =
    "SELECT trajectory, count(*), sum(seconds) FROM evaluations WHERE status = 'evaluated'"
    " AND trajectory IN (SELECT id FROM trajectories WHERE campaign = ?) GROUP BY trajectory";

std::map<Id, Totals> sum_up(const SQLite::Database& database, Id campaign) {
  std::map<Id, Totals> spent;
  SQLite::Statement asks(database, asks_spent);
  asks.bind(1, campaign);
  while (asks.executeStep()) {
    Columns columns(asks);
    auto& totals = spent[columns.number()];
    totals.calls = columns.number();
    totals.tokens.input = columns.number();
    totals.tokens.output = columns.number();
    totals.tokens.cached = columns.number();
    totals.tokens.reasoning = columns.number();
    totals.tokens.cache_write = columns.number();
    totals.usd = columns.real();
    totals.unsettled.tokens = columns.number();
    totals.unsettled.usd = columns.real();
    totals.llm_seconds = columns.real();
  }
  SQLite::Statement failed(database, failed_spent);
  failed.bind(1, campaign);
  while (failed.executeStep()) {
    Columns columns(failed);
    auto& totals = spent[columns.number()];
    totals.failed_attempts = columns.number();
    totals.tokens.input += columns.number();
    totals.tokens.output += columns.number();
    totals.tokens.cached += columns.number();
    totals.tokens.reasoning += columns.number();
    totals.tokens.cache_write += columns.number();
    totals.usd += columns.real();
    totals.unsettled.tokens += columns.number();
    totals.unsettled.usd += columns.real();
    totals.llm_seconds += columns.real();
  }
  SQLite::Statement evaluations(database, evaluations_spent);
  evaluations.bind(1, campaign);
  while (evaluations.executeStep()) {
    Columns columns(evaluations);
    auto& totals = spent[columns.number()];
    totals.evaluations = columns.number();
    totals.evaluation_seconds = columns.real();
  }
  return spent;
}

}  // namespace

std::map<Id, Totals> Reader::totals_by_trajectory(Id campaign) const {
  return guarded(*database_, [&] { return sum_up(*database_, campaign); });
}

Totals Reader::totals(Id campaign) const {
  Totals sum;
  for (const auto& [trajectory, one] : totals_by_trajectory(campaign)) {
    sum.calls += one.calls;
    sum.failed_attempts += one.failed_attempts;
    sum.tokens.cache_write += one.tokens.cache_write;
    sum.unsettled.tokens += one.unsettled.tokens;
    sum.unsettled.usd += one.unsettled.usd;
    sum.tokens.input += one.tokens.input;
    sum.tokens.output += one.tokens.output;
    sum.tokens.cached += one.tokens.cached;
    sum.tokens.reasoning += one.tokens.reasoning;
    sum.usd += one.usd;
    sum.evaluations += one.evaluations;
    sum.llm_seconds += one.llm_seconds;
    sum.evaluation_seconds += one.evaluation_seconds;
  }
  sum.wall_seconds = guarded(*database_, [&] { return wall_seconds(*database_, campaign); });
  return sum;
}

}  // namespace ridgeline::store
