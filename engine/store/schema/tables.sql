-- The tables of a store, schema version 12 (ridgeline 0.2). docs/store-schema.md explains every column.
-- A change of any of them needs a new version and a step in engine/store/convert/.

CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  config_text TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  prompts_hash TEXT NOT NULL,
  engine_version TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  origin INTEGER REFERENCES campaigns(id)
) STRICT;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  began_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  ended_as TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_campaign ON runs(campaign);

CREATE TABLE tasks (
  hash TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  category TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE suite_tasks (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  ordinal INTEGER NOT NULL,
  file TEXT NOT NULL,
  name TEXT NOT NULL,
  category TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  task TEXT REFERENCES tasks(hash),
  standing TEXT NOT NULL,
  reason TEXT NOT NULL,
  notes TEXT NOT NULL,
  PRIMARY KEY (campaign, file)
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
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'finished', 'failed', 'incomplete')),
  finished_at INTEGER NOT NULL,
  detail TEXT NOT NULL,
  identity TEXT NOT NULL,
  origin INTEGER REFERENCES trajectories(id),
  kept_steps INTEGER NOT NULL
) STRICT;
CREATE INDEX trajectories_by_campaign ON trajectories(campaign);

CREATE TABLE candidates (
  hash TEXT PRIMARY KEY,
  language TEXT NOT NULL,
  source TEXT NOT NULL
) STRICT;

-- The journal: what every model request and every evaluation of a trajectory returned.

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
  model_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  finish_reason TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  usd REAL NOT NULL,
  unsettled_tokens INTEGER NOT NULL,
  unsettled_usd REAL NOT NULL,
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
  raw_request BLOB NOT NULL,
  raw_response BLOB NOT NULL,
  UNIQUE (trajectory, step, slot)
) STRICT;

CREATE TABLE failed_attempts (
  id INTEGER PRIMARY KEY,
  trajectory INTEGER NOT NULL REFERENCES trajectories(id),
  step INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  model TEXT NOT NULL,
  model_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  llm_status TEXT NOT NULL,
  detail TEXT NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  usd REAL NOT NULL,
  unsettled_tokens INTEGER NOT NULL,
  unsettled_usd REAL NOT NULL,
  seconds REAL NOT NULL,
  at INTEGER NOT NULL,
  raw_response BLOB NOT NULL
) STRICT;
CREATE INDEX failed_attempts_by_trajectory ON failed_attempts(trajectory);

CREATE TABLE started_calls (
  trajectory INTEGER NOT NULL REFERENCES trajectories(id),
  step INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  model TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  usd REAL NOT NULL,
  started_at INTEGER NOT NULL,
  PRIMARY KEY (trajectory, step, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE effect_events (
  trajectory INTEGER NOT NULL REFERENCES trajectories(id),
  ordinal INTEGER NOT NULL,
  event TEXT NOT NULL,
  step INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (trajectory, ordinal)
) STRICT, WITHOUT ROWID;

-- A verdict is one document and its raw samples. The columns before it are figures of that document: SQLite
-- computes them when the row is written, so that a scan over many evaluations parses no JSON. They stand
-- before the document, whose end lies on pages of its own that such a scan does not read.
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
  device TEXT NOT NULL AS (coalesce(verdict ->> '$.device', '')) STORED,
  compiled INTEGER NOT NULL AS (coalesce(verdict ->> '$.stages.build.status' = 'passed', 0)) STORED,
  -- As Verdict::correct: a time may be missing; only a time that was taken can expose a candidate.
  correct INTEGER NOT NULL AS (coalesce(compiled AND NOT cheated
    AND verdict ->> '$.stages.call.status' = 'passed'
    AND verdict ->> '$.stages.correctness.status' = 'passed'
    AND verdict ->> '$.stages.timing.status' <> 'failed', 0)) STORED,
  cheated INTEGER NOT NULL AS (coalesce(verdict ->> '$.cheated', 0)) STORED,
  faithful_correct INTEGER NOT NULL AS (coalesce(verdict ->> '$.faithful_correct', 0)) STORED,
  speedup REAL AS (CASE WHEN correct THEN verdict ->> '$.timing.speedup' END) STORED,
  -- The profile stage never fails a candidate.
  failed_at TEXT AS (CASE
    WHEN verdict ->> '$.stages.build.status' IN ('failed', 'unavailable') THEN 'build'
    WHEN verdict ->> '$.stages.call.status' IN ('failed', 'unavailable') THEN 'call'
    WHEN verdict ->> '$.stages.correctness.status' IN ('failed', 'unavailable') THEN 'correctness'
    WHEN verdict ->> '$.stages.timing.status' IN ('failed', 'unavailable') THEN 'timing' END) STORED,
  reason TEXT AS (verdict ->> ('$.stages.' || failed_at || '.reason')) STORED,
  -- As Verdict::judged: otherwise the machine failed, and nothing is known of the candidate.
  judged INTEGER NOT NULL AS (correct OR cheated
    OR coalesce(verdict ->> ('$.stages.' || failed_at || '.status') = 'failed', 0)) STORED,
  verdict TEXT,
  samples BLOB,
  UNIQUE (trajectory, step, slot)
) STRICT;

-- What is kept from campaign to campaign.

CREATE TABLE baselines (
  task TEXT NOT NULL,
  device TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('eager', 'compile')),
  case_name TEXT NOT NULL,
  description TEXT NOT NULL,
  median REAL NOT NULL,
  low REAL NOT NULL,
  high REAL NOT NULL,
  converged INTEGER NOT NULL,
  samples BLOB NOT NULL,
  measured_at INTEGER NOT NULL,
  mode TEXT NOT NULL,
  eager REAL NOT NULL,
  PRIMARY KEY (task, device, kind, mode, case_name)
) STRICT;

CREATE TABLE devices (
  name TEXT PRIMARY KEY,
  ceilings TEXT NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
