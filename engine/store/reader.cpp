#include "engine/store/reader.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/codec.hpp"
#include "engine/store/columns.hpp"
#include "engine/store/evaluations.hpp"
#include "engine/store/journal.hpp"
#include "engine/store/rows.hpp"
#include "engine/store/store.hpp"
#include "engine/store/suite_tasks.hpp"

namespace ridgeline::store {
namespace {

/// Runs `sql` with its parameters and collects `read(columns)` of every row.
template <class Read, class... Values>
auto all(const SQLite::Database& database, const std::string& sql, Read read, const Values&... values) {
  return guarded(database, [&] {
    SQLite::Statement statement(database, sql);
    int index = 0;
    (bind_value(statement, ++index, values), ...);
    std::vector<decltype(read(std::declval<Columns&>()))> rows;
    while (statement.executeStep()) {
      Columns columns(statement);
      rows.push_back(read(columns));
    }
    return rows;
  });
}

template <class T>
std::optional<T> only(std::vector<T> rows) {
  return rows.empty() ? std::nullopt : std::optional<T>(std::move(rows.front()));
}

CampaignRecord read_campaign(Columns& c) {
  CampaignRecord record;
  record.id = c.number();
  record.name = c.text();
  record.config_text = c.text();
  record.config_hash = c.text();
  record.plan_hash = c.text();
  record.prompts_hash = c.text();
  record.engine_version = c.text();
  record.created_at = c.number();
  record.origin = c.number();
  return record;
}

TaskRecord read_task(Columns& c) {
  TaskRecord record;
  record.hash = c.text();
  record.name = c.text();
  record.category = c.text();
  record.document = c.text();
  return record;
}

TrajectoryRecord read_trajectory(Columns& c) {
  TrajectoryRecord record;
  record.id = c.number();
  record.campaign = c.number();
  record.task_hash = c.text();
  record.task_name = c.text();
  record.category = c.text();
  record.strategy = c.text();
  record.strategy_json = c.text();
  record.language = c.name<Language>();
  record.model = c.text();
  record.seed = static_cast<std::uint64_t>(c.number());
  record.state = c.name<TrajectoryState>();
  record.finished_at = c.number();
  record.detail = c.text();
  record.origin = c.number();
  record.kept_steps = c.integer();
  record.identity = c.text();
  return record;
}

DeviceRecord read_device(Columns& c) {
  DeviceRecord record;
  record.name = c.text();
  record.ceilings = nlohmann::json::parse(c.text()).get<Ceilings>();
  record.seen_at = c.number();
  return record;
}

const std::string select_campaigns = std::string("SELECT id, ") + campaign_columns + " FROM campaigns";
const std::string select_tasks = "SELECT hash, name, category, document FROM tasks";
const std::string select_trajectories =
    "SELECT trajectories.id, campaign, task, name, category, strategy, strategy_json, language, model, seed, "
    "state,"
    " finished_at, detail, origin, kept_steps, identity FROM trajectories JOIN tasks ON tasks.hash = "
    "trajectories.task";
const std::string select_baselines = std::string("SELECT ") + baseline_columns + " FROM baselines";

}  // namespace

Reader::Reader(const Store& store) : database_(store.connect_to_read()) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;

std::vector<CampaignRecord> Reader::campaigns() const {
  return all(*database_, select_campaigns + " ORDER BY id", read_campaign);
}

std::optional<CampaignRecord> Reader::campaign(const std::string& name) const {
  return only(all(*database_, select_campaigns + " WHERE name = ?", read_campaign, name));
}

std::optional<CampaignRecord> Reader::newest_branch(Id campaign) const {
  return only(all(*database_, select_campaigns + " WHERE origin = ? ORDER BY id DESC LIMIT 1", read_campaign,
                  campaign));
}

std::vector<TaskRecord> Reader::tasks() const {
  return all(*database_, select_tasks + " ORDER BY name, hash", read_task);
}

std::optional<TaskRecord> Reader::task(const Hash& hash) const {
  return only(all(*database_, select_tasks + " WHERE hash = ?", read_task, hash));
}

std::vector<TrajectoryRecord> Reader::trajectories(Id campaign) const {
  return all(*database_, select_trajectories + " WHERE campaign = ? ORDER BY trajectories.id",
             read_trajectory, campaign);
}

std::vector<TrajectoryRecord> Reader::trajectories() const {
  return all(*database_, select_trajectories + " ORDER BY trajectories.id", read_trajectory);
}

std::optional<TrajectoryRecord> Reader::trajectory(Id id) const {
  return only(all(*database_, select_trajectories + " WHERE trajectories.id = ?", read_trajectory, id));
}

std::vector<AttemptRecord> Reader::attempts(Id trajectory, AskTexts texts) const {
  auto evaluations = load_evaluations(*database_, trajectory);
  auto next = evaluations.begin();
  std::map<std::pair<int, int>, std::string> given_up;
  for (auto& event : load_effect_events(*this, trajectory))
    if (event.event == EffectEventKind::cancelled)
      given_up.emplace(std::pair(event.step, event.slot), std::move(event.reason));
  const auto read = [&](Columns& row) {
    AttemptRecord attempt;
    std::vector<Hash> parents;
    attempt.ask = read_ask(row, parents);
    if (texts != AskTexts::none) read_ask_prompt(row, attempt.ask);
    if (texts == AskTexts::all) read_ask_raw(row, attempt.ask);
    attempt.candidate = read_candidate(row, attempt.ask.candidate, std::move(parents));
    const auto here = std::pair(attempt.ask.step, attempt.ask.slot);
    while (next != evaluations.end() && std::pair(next->step, next->slot) < here) ++next;
    if (next != evaluations.end() && std::pair(next->step, next->slot) == here)
      attempt.evaluation = std::move(*next);
    if (const auto reason = given_up.find(here); reason != given_up.end()) {
      attempt.cancelled = true;
      attempt.cancelled_because = reason->second;
    }
    return attempt;
  };
  std::string columns = ask_columns;
  if (texts != AskTexts::none) columns += std::string(", ") + ask_prompt_columns;
  if (texts == AskTexts::all) columns += std::string(", ") + ask_raw_columns;
  return all(*database_,
             "SELECT " + columns +
                 ", language, source FROM asks LEFT JOIN candidates ON candidates.hash = asks.candidate"
                 " WHERE trajectory = ? ORDER BY step, slot",
             read, trajectory);
}

std::vector<FailedAttemptRecord> Reader::failed_attempts(Id trajectory) const {
  return all(*database_,
             std::string("SELECT ") + failed_attempt_columns +
                 " FROM failed_attempts WHERE trajectory = ? ORDER BY id",
             read_failed_attempt, trajectory);
}

bool Reader::has_steps(Id trajectory) const {
  const auto read = [](Columns& c) { return c.number(); };
  return !all(*database_,
              "SELECT 1 FROM asks WHERE trajectory = ?1 UNION ALL"
              " SELECT 1 FROM effect_events WHERE trajectory = ?1 LIMIT 1",
              read, trajectory)
              .empty();
}

Expense Reader::failed_expense(Id trajectory) const {
  const auto read = [](Columns& c) {
    const auto tokens = c.number();
    return Expense{tokens, c.real()};
  };
  return all(*database_,
             "SELECT coalesce(sum(input_tokens + output_tokens + unsettled_tokens), 0),"
             " coalesce(sum(usd + unsettled_usd), 0.0) FROM failed_attempts WHERE trajectory = ?",
             read, trajectory)
      .front();
}

std::optional<RunRecord> Reader::last_run(Id campaign) const {
  const auto read = [](Columns& c) {
    RunRecord run;
    run.began_at = c.number();
    run.ended_at = c.number();
    run.ended_as = c.text();
    run.reason = c.text();
    return run;
  };
  return only(all(*database_,
                  "SELECT began_at, ended_at, ended_as, reason FROM runs WHERE campaign = ? ORDER BY id DESC"
                  " LIMIT 1",
                  read, campaign));
}

std::optional<Candidate> Reader::candidate(const Hash& hash) const {
  const auto read = [&](Columns& columns) { return *read_candidate(columns, hash, {}); };
  return only(all(*database_, "SELECT language, source FROM candidates WHERE hash = ?", read, hash));
}

std::vector<SuiteTaskRecord> Reader::suite_tasks(Id campaign) const {
  return load_suite(*database_, campaign);
}

std::vector<BaselineRecord> Reader::baselines() const {
  return all(*database_, select_baselines + " ORDER BY task, device, kind, mode, case_name", read_baseline);
}

std::vector<BaselineRecord> Reader::baselines(const Hash& task, const std::string& device) const {
  return all(*database_, select_baselines + " WHERE task = ? AND device = ? ORDER BY kind, mode, case_name",
             read_baseline, task, device);
}

std::vector<std::pair<Hash, std::string>> Reader::timed_places(Id campaign) const {
  const auto read = [](Columns& c) {
    auto task = c.text();
    return std::pair(std::move(task), c.text());
  };
  return all(*database_,
             "SELECT DISTINCT task, device FROM evaluations JOIN trajectories ON trajectories.id = trajectory"
             " WHERE campaign = ? AND speedup > 0 ORDER BY task, device",
             read, campaign);
}

std::vector<DeviceRecord> Reader::devices() const {
  return all(*database_, "SELECT name, ceilings, seen_at FROM devices ORDER BY name", read_device);
}

}  // namespace ridgeline::store
