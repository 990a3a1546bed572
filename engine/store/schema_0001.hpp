// Migration 1: campaigns, tasks, trajectories, the journal, and what evaluations measured.
// docs/store-schema.md explains every table and column. Released migrations are never edited; a change is a
// new one.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0001 = R"sql(
CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  config_text TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  prompts_hash TEXT NOT NULL,
  engine_version TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tasks (
  hash TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  category TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE trajectories (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  task TEXT NOT NULL REFERENCES tasks(hash),
  strategy TEXT NOT NULL,
  strategy_json TEXT NOT NULL,
  language TEXT NOT NULL,
  model TEXT NOT NULL,
  seed INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'finished', 'failed', 'stopped')),
  finished_at INTEGER NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX trajectories_by_campaign ON trajectories(campaign);

CREATE TABLE candidates (
  hash TEXT PRIMARY KEY,
  language TEXT NOT NULL,
  source TEXT NOT NULL
) STRICT;

-- The journal: what every Ask and every Evaluate of a trajectory returned.
CREATE TABLE asks (
  id INTEGER PRIMARY KEY,
  trajectory INTEGER NOT NULL REFERENCES trajectories(id),
  step INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  round INTEGER NOT NULL,
  request_hash TEXT NOT NULL,
  role TEXT NOT NULL,
  critic INTEGER NOT NULL,
  model TEXT NOT NULL,
  temperature REAL,
  change TEXT NOT NULL,
  feedback TEXT NOT NULL,
  llm_status TEXT NOT NULL,
  llm_detail TEXT NOT NULL,
  provider_model TEXT NOT NULL,
  finish_reason TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  usd REAL NOT NULL,
  seconds REAL NOT NULL,
  attempts INTEGER NOT NULL,
  diverged INTEGER NOT NULL,
  status TEXT NOT NULL,
  detail TEXT NOT NULL,
  candidate TEXT REFERENCES candidates(hash),
  parents TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  response_text TEXT NOT NULL,
  reasoning TEXT NOT NULL,
  prompt TEXT NOT NULL,
  raw_request TEXT NOT NULL,
  raw_response TEXT NOT NULL,
  UNIQUE (trajectory, step, slot)
) STRICT;

CREATE TABLE evaluations (
  id INTEGER PRIMARY KEY,
  trajectory INTEGER NOT NULL REFERENCES trajectories(id),
  step INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  round INTEGER NOT NULL,
  request_hash TEXT NOT NULL,
  candidate TEXT NOT NULL REFERENCES candidates(hash),
  status TEXT NOT NULL,
  seconds REAL NOT NULL,
  worker TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  device TEXT NOT NULL,
  compiled INTEGER NOT NULL,
  correct INTEGER NOT NULL,
  cheated INTEGER NOT NULL,
  faithful_correct INTEGER NOT NULL,
  speedup REAL,
  verdict TEXT,
  UNIQUE (trajectory, step, slot)
) STRICT;

-- The numbers of a verdict, kept here alone; the rest of it is the JSON in evaluations.verdict. NULL is NaN.
CREATE TABLE stage_results (
  evaluation INTEGER NOT NULL REFERENCES evaluations(id),
  ordinal INTEGER NOT NULL,
  stage TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  seconds REAL,
  PRIMARY KEY (evaluation, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE timings (
  id INTEGER PRIMARY KEY,
  evaluation INTEGER NOT NULL REFERENCES evaluations(id),
  ordinal INTEGER NOT NULL,
  case_name TEXT NOT NULL,
  cold REAL,
  cold_low REAL,
  cold_high REAL,
  cold_converged INTEGER NOT NULL,
  cold_samples BLOB NOT NULL,
  hot REAL,
  hot_low REAL,
  hot_high REAL,
  hot_converged INTEGER NOT NULL,
  hot_samples BLOB NOT NULL,
  baseline REAL,
  baseline_low REAL,
  baseline_high REAL,
  baseline_converged INTEGER NOT NULL,
  baseline_samples BLOB NOT NULL,
  baseline_drift REAL,
  claimed REAL,
  cpu_seconds REAL,
  slots_verified INTEGER NOT NULL,
  speedup REAL,
  speedup_low REAL,
  speedup_high REAL,
  UNIQUE (evaluation, ordinal)
) STRICT;

CREATE TABLE error_quantiles (
  evaluation INTEGER NOT NULL REFERENCES evaluations(id),
  ordinal INTEGER NOT NULL,
  case_name TEXT NOT NULL,
  input_set TEXT NOT NULL,
  output TEXT NOT NULL,
  median REAL,
  p99 REAL,
  worst REAL,
  PRIMARY KEY (evaluation, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE rooflines (
  evaluation INTEGER NOT NULL REFERENCES evaluations(id),
  ordinal INTEGER NOT NULL,
  case_name TEXT NOT NULL,
  bytes REAL,
  operations REAL,
  bytes_source TEXT NOT NULL,
  operations_source TEXT NOT NULL,
  seconds REAL,
  intensity REAL,
  roof_seconds REAL,
  bandwidth_share REAL,
  compute_share REAL,
  efficiency REAL,
  headroom_seconds REAL,
  bound TEXT NOT NULL,
  diagnosis TEXT NOT NULL,
  PRIMARY KEY (evaluation, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
  evaluation INTEGER NOT NULL REFERENCES evaluations(id),
  roofline INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  source TEXT NOT NULL,
  PRIMARY KEY (evaluation, roofline, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE baselines (
  task TEXT NOT NULL,
  device TEXT NOT NULL,
  case_name TEXT NOT NULL,
  description TEXT NOT NULL,
  median REAL NOT NULL,
  low REAL NOT NULL,
  high REAL NOT NULL,
  converged INTEGER NOT NULL,
  samples BLOB NOT NULL,
  measured_at INTEGER NOT NULL,
  PRIMARY KEY (task, device, case_name)
) STRICT;

CREATE TABLE devices (
  name TEXT PRIMARY KEY,
  ceilings TEXT NOT NULL,
  hello TEXT NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace ridgeline::store
