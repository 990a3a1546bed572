// Migration 9: failed attempts and calls under way; the whole identity of a trajectory; which model was asked
// and where; how a run ended; raw exchanges as compressed bytes.
//
// The CHECK on trajectories.state is widened in the schema's own text, as SQLite's documentation of ALTER
// TABLE allows for changes that do not touch the content.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0009 = R"sql(
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''failed'', ''stopped''', '''failed'', ''stopped'', ''incomplete''')
  WHERE type = 'table' AND name = 'trajectories';
PRAGMA writable_schema = RESET;
UPDATE trajectories SET state = 'incomplete' WHERE state = 'stopped';
ALTER TABLE trajectories ADD COLUMN identity TEXT NOT NULL DEFAULT '';

ALTER TABLE runs ADD COLUMN ended_as TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN reason TEXT NOT NULL DEFAULT '';

ALTER TABLE asks RENAME TO asks_before_9;
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
INSERT INTO asks SELECT id, trajectory, step, slot, round, request_hash, role, critic, model, temperature, change,
  feedback, llm_status, llm_detail, provider_model, '', '', finish_reason, input_tokens, output_tokens,
  cached_tokens, reasoning_tokens, 0, usd, 0, 0, seconds, attempts, diverged, status, detail, candidate, parents,
  started_at, ended_at, response_text, reasoning, prompt, CAST(raw_request AS BLOB), CAST(raw_response AS BLOB)
  FROM asks_before_9;
DROP TABLE asks_before_9;

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
)sql";

}  // namespace ridgeline::store
