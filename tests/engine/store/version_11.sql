-- A store of schema version 11 as ridgeline 0.1 wrote it: made by its writer, printed by `sqlite3 .dump`.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  config_text TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  prompts_hash TEXT NOT NULL,
  engine_version TEXT NOT NULL,
  created_at INTEGER NOT NULL
, origin INTEGER REFERENCES campaigns(id)) STRICT;
INSERT INTO campaigns VALUES(1,'quickstart','campaign: quickstart','ed4f0b24c45258342c1851760d29b3f5eafedafde021ae3bad6af8aa7466ae3e','0b204b5d8f1e2196e82099a5cf748dfad5fd5cdd1eed5ce02c35a2533d0150b4','eb7526362ee7678cb5650f67d90cfdb84485363ca148ff3993ded032560941fb','0.1.0',1790000000000,NULL);
CREATE TABLE tasks (
  hash TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  category TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO tasks VALUES('b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7','softmax','Math','{"name":"softmax","difficulty":2,"parameters":[{"kind":"tensor","name":"x","dtype":"float32"}],"cases":[{"name":"small","timed":true},{"name":"ragged","timed":true},{"name":"unseen_tail","hidden":true},{"name":"last_resort","final":true}]}');
CREATE TABLE trajectories (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  task TEXT NOT NULL REFERENCES tasks(hash),
  strategy TEXT NOT NULL,
  strategy_json TEXT NOT NULL,
  language TEXT NOT NULL,
  model TEXT NOT NULL,
  seed INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'finished', 'failed', 'stopped', 'incomplete')),
  finished_at INTEGER NOT NULL,
  detail TEXT NOT NULL
, origin INTEGER REFERENCES trajectories(id), kept_steps INTEGER NOT NULL DEFAULT 0, identity TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO trajectories VALUES(1,1,'b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7','iterative-gep','{"strategy":"iterative","rounds":3}','cpp','replayed/model',7,'incomplete',30,'cut short',NULL,0,'{}');
INSERT INTO trajectories VALUES(2,1,'b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7','iterative-gep','{"strategy":"iterative","rounds":3}','cpp','replayed/model',8,'pending',0,'',NULL,0,'');
CREATE TABLE candidates (
  hash TEXT PRIMARY KEY,
  language TEXT NOT NULL,
  source TEXT NOT NULL
) STRICT;
INSERT INTO candidates VALUES('93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','cpp',replace('// attempt 1\n#include <cmath>\nextern "C" void kernel_softmax(const float* x, float* y, long rows, long columns) {\n  for (long r0 = 1; r0 < rows; ++r0) y[r0] = std::exp(x[r0] * 1.0f);\n  for (long r1 = 1; r1 < rows; ++r1) y[r1] = std::exp(x[r1] * 1.0f);\n  for (long r2 = 1; r2 < rows; ++r2) y[r2] = std::exp(x[r2] * 1.0f);\n  for (long r3 = 1; r3 < rows; ++r3) y[r3] = std::exp(x[r3] * 1.0f);\n}\n','\n',char(10)));
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
INSERT INTO evaluations VALUES(1,1,0,0,0,'4254858564c1767c40084ac562973f5180f8abf544db952b360d2569f33db609','93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','evaluated',0.4000000000000000222,'local:0',1790000003700,1790000004100,'cpu',1,1,0,1,2.0,'{"build_flags":["-O3","-march=native","-fopenmp-simd"],"build_log":"","call_failure":null,"candidate":"93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81","ceilings":null,"cheated":false,"compiler":"g++ 12.2.0","device":"cpu","errors":[],"faithful_correct":true,"final_failures":[],"flags":[],"isolation":{"details":"Landlock 7; seccomp","level":"standard"},"launches":[{"achieved_occupancy":0.7,"block":[256,1,1],"case_name":"small","dram_bytes":8000000.0,"grid":[132,2,1],"kernel":"reduce<float, 4>","limit":"registers","local":8,"registers":40,"seconds":1.5e-05,"shared":2048,"theoretical_occupancy":0.75}],"mismatches":[],"notes":[],"quantization":[],"resources":[],"rooflines":[],"run_to_run_differences":false,"seconds":0.4,"task":"b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7","timing":{"baseline":"eager LibTorch 2.11.0, 1 thread, float32","cases":[],"speedup":2.0,"speedup_high":2.0404040404040407,"speedup_low":1.9603960396039604}}');
INSERT INTO evaluations VALUES(2,1,1,0,1,'4254858564c1767c40084ac562973f5180f8abf544db952b360d2569f33db609','93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','evaluated',0.4000000000000000222,'local:0',1790000003700,1790000004100,'cpu',0,0,0,0,NULL,'{"build_flags":[],"build_log":"kernel.cpp:3:5: error: ''foo'' was not declared in this scope\n","call_failure":null,"candidate":"93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81","ceilings":null,"cheated":false,"compiler":"g++ 12.2.0","device":"cpu","errors":[],"faithful_correct":false,"final_failures":[],"flags":[],"isolation":{"details":"Landlock 7; seccomp","level":"standard"},"launches":[],"mismatches":[],"notes":[],"quantization":[],"resources":[],"rooflines":[],"run_to_run_differences":false,"seconds":0.0,"task":"b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7","timing":null}');
INSERT INTO evaluations VALUES(3,1,2,0,2,'4254858564c1767c40084ac562973f5180f8abf544db952b360d2569f33db609','93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','evaluated',0.4000000000000000222,'local:0',1790000003700,1790000004100,'cpu',1,0,0,0,NULL,'{"build_flags":[],"build_log":"","call_failure":{"address":"","case_name":"ragged","hidden":false,"input_set":"standard","output":"","place":"","signal":11,"signal_name":"SIGSEGV"},"candidate":"93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81","ceilings":null,"cheated":false,"compiler":"g++ 12.2.0","device":"cpu","errors":[],"faithful_correct":false,"final_failures":[],"flags":[],"isolation":{"details":"Landlock 7; seccomp","level":"standard"},"launches":[],"mismatches":[],"notes":[],"quantization":[],"resources":[],"rooflines":[],"run_to_run_differences":false,"seconds":0.0,"task":"b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7","timing":null}');
INSERT INTO evaluations VALUES(4,1,3,0,3,'4254858564c1767c40084ac562973f5180f8abf544db952b360d2569f33db609','93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','evaluated',0.4000000000000000222,'local:0',1790000003700,1790000004100,'cpu',1,0,0,0,NULL,'{"build_flags":[],"build_log":"","call_failure":null,"candidate":"93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81","ceilings":null,"cheated":false,"compiler":"g++ 12.2.0","device":"cpu","errors":[],"faithful_correct":false,"final_failures":[],"flags":[],"isolation":{"details":"Landlock 7; seccomp","level":"standard"},"launches":[],"mismatches":[{"case_name":"ragged","elements":132,"first":[{"expected":0.25,"got":"nan","index":[0,32]}],"hidden":false,"input_set":"edge","output":"y","pattern":"tail","pattern_detail":"columns >= 32 of every row","shape":[4,33],"tolerance":1e-05,"worst_absolute":0.5,"worst_relative":"inf","wrong":4}],"notes":[],"quantization":[],"resources":[],"rooflines":[],"run_to_run_differences":false,"seconds":0.0,"task":"b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7","timing":null}');
INSERT INTO evaluations VALUES(5,1,4,0,4,'b5f410ded07fc777cc779b8724c6184414095cb459239780a07a404c56b2aa51','93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','budget_exhausted',0.4000000000000000222,'local:0',1790000003700,1790000004100,'',0,0,0,0,NULL,NULL);
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
INSERT INTO stage_results VALUES(1,0,'build','passed','none','',0.050000000000000002775);
INSERT INTO stage_results VALUES(1,1,'call','passed','none','',0.050000000000000002775);
INSERT INTO stage_results VALUES(1,2,'correctness','passed','none','',0.050000000000000002775);
INSERT INTO stage_results VALUES(1,3,'timing','passed','none','',0.050000000000000002775);
INSERT INTO stage_results VALUES(1,4,'profile','passed','none','',0.050000000000000002775);
INSERT INTO stage_results VALUES(2,0,'build','failed','compile_error','case ragged: compile_error',0.10000000000000000555);
INSERT INTO stage_results VALUES(3,0,'build','passed','none','',0.0);
INSERT INTO stage_results VALUES(3,1,'call','failed','crashed','case ragged: crashed',0.10000000000000000555);
INSERT INTO stage_results VALUES(4,0,'build','passed','none','',0.0);
INSERT INTO stage_results VALUES(4,1,'call','passed','none','',0.0);
INSERT INTO stage_results VALUES(4,2,'correctness','failed','wrong_values','case ragged: wrong_values',0.10000000000000000555);
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
  speedup_high REAL, clock_hz REAL, replayed REAL DEFAULT 0, replayed_low REAL DEFAULT 0, replayed_high REAL DEFAULT 0, replayed_converged INTEGER DEFAULT 0, replayed_samples BLOB, energy REAL DEFAULT 0, energy_above_idle REAL DEFAULT 0,
  UNIQUE (evaluation, ordinal)
) STRICT;
INSERT INTO timings VALUES(1,1,0,'small',0.0010000000000000000208,0.00098999999999999999458,0.001010000000000000047,1,X'164f54c1273b503fb856fed1f675503f',0.00080000000000000003833,0.00079200000000000006072,0.00080800000000000001595,1,X'5dd5473d5b054a3f',0.0020000000000000000416,0.0019799999999999999891,0.002020000000000000094,1,X'adcd1563f97e603fd73a0c443180603f',1.0100000000000000088,0.0,0.0010000000000000000208,3,2.0,1.9603960396039603608,2.0404040404040406642,0.0,0.00069999999999999999288,0.00069300000000000003957,0.00070699999999999994619,1,X'4060b544c024473f6a144674c611473fbfcd9bd67311473f',0.0040000000000000000832,0.0030000000000000000624);
INSERT INTO timings VALUES(2,1,1,'ragged',0.0010000000000000000208,0.00098999999999999999458,0.001010000000000000047,1,X'613319d8ff89503f53615178f450503f',0.00080000000000000003833,0.00079200000000000006072,0.00080800000000000001595,1,X'aefdf39f21144a3f',0.0020000000000000000416,0.0019799999999999999891,0.002020000000000000094,1,X'3638ac9b9250603fe31ba77e7d38603f',1.0100000000000000088,0.0,0.0010000000000000000208,3,2.0,1.9603960396039603608,2.0404040404040406642,0.0,0.00069999999999999999288,0.00069300000000000003957,0.00070699999999999994619,1,X'24040c1ff51e473f872b08ff33ba463f2ec37125add7463f',0.0040000000000000000832,0.0030000000000000000624);
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
INSERT INTO error_quantiles VALUES(1,0,'small','standard','y',0.010000000000000000208,0.050000000000000002775,1e999);
INSERT INTO error_quantiles VALUES(1,1,'small','outlier','y',0.33333333333333331482,0.050000000000000002775,0.2000000000000000111);
INSERT INTO error_quantiles VALUES(1,2,'small','edge','y',0.010000000000000000208,0.050000000000000002775,0.5);
INSERT INTO error_quantiles VALUES(1,3,'ragged','standard','y',0.010000000000000000208,0.050000000000000002775,0.2000000000000000111);
INSERT INTO error_quantiles VALUES(1,4,'ragged','outlier','y',0.010000000000000000208,0.050000000000000002775,0.2000000000000000111);
INSERT INTO error_quantiles VALUES(1,5,'ragged','edge','y',0.010000000000000000208,0.050000000000000002775,0.5);
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
INSERT INTO rooflines VALUES(1,0,'small',8000000.0,5000000.0,'analytic','perf',0.0010000000000000000208,0.625,0.00040000000000000001916,0.4000000000000000222,0.10000000000000000555,0.4000000000000000222,0.00060000000000000005585,'memory','40 % of the memory roof');
INSERT INTO rooflines VALUES(1,1,'ragged',8000000.0,5000000.0,'analytic','perf',0.0010000000000000000208,NULL,0.00040000000000000001916,0.4000000000000000222,0.10000000000000000555,0.4000000000000000222,0.00060000000000000005585,'memory','40 % of the memory roof');
CREATE TABLE counters (
  evaluation INTEGER NOT NULL REFERENCES evaluations(id),
  roofline INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  source TEXT NOT NULL,
  PRIMARY KEY (evaluation, roofline, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES(1,0,0,'cycles',1000000.0,'perf');
INSERT INTO counters VALUES(1,0,1,'instructions',2000000.0,'perf');
INSERT INTO counters VALUES(1,0,2,'dram_read_bytes',6000000.0,'cupti');
INSERT INTO counters VALUES(1,1,0,'cycles',1000000.0,'perf');
INSERT INTO counters VALUES(1,1,1,'instructions',2000000.0,'perf');
CREATE TABLE devices (
  name TEXT PRIMARY KEY,
  ceilings TEXT NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO devices VALUES('cpu','{"bandwidth":20000000000.0,"cache_bandwidth":0.0,"cache_bytes":0.0,"device":"cpu","levels":[],"peaks":[],"threads":1}',7);
CREATE TABLE transitions (
  trajectory INTEGER NOT NULL REFERENCES trajectories(id),
  step INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  before TEXT NOT NULL REFERENCES candidates(hash),
  after TEXT NOT NULL REFERENCES candidates(hash),
  kind TEXT NOT NULL,
  from_stage TEXT,
  to_stage TEXT,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  flagged INTEGER NOT NULL,
  flag_reason TEXT NOT NULL,
  PRIMARY KEY (trajectory, step, slot)
) STRICT, WITHOUT ROWID;
INSERT INTO transitions VALUES(1,1,0,'93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','neutral',NULL,NULL,1.0,1.0,1.0,0,'');
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  began_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL
, ended_as TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO runs VALUES(1,1,10,20,'paused','no model');
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
INSERT INTO suite_tasks VALUES(1,0,'level1/1_A','level1_1_A','level1','t','b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7','ok','','["note"]');
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
INSERT INTO baselines VALUES('b10eacd572202180a2705039da1407032987c07db1919e14a21208c4e49558a7','cpu','eager','small','eager',0.0020000000000000000416,0.0,0.0,0,X'fca9f1d24d62603ffa7e6abc7493683f',9,'',0.0);
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
INSERT INTO asks VALUES(1,1,0,0,0,'94abb60e0a99a0e988bf7065d5663f3ea5b850e075682451888b3fe3542b2446','iterative/first',0,'generator',0.69999999999999995559,'','[]','answered','first try','model-2026-01','','','stop',1200,400,1000,50,0,0.012500000000000000693,0,0.0,3.5,1,1,'kernel','','93fd43754a09c79296dfb8a76dd60790a4bc97c857af3d24856454387c0eae81','[]',1790000000123,1790000003623,replace('Here it is:\n```cpp\n// attempt 1\n#include <cmath>\nextern "C" void kernel_softmax(const float* x, float* y, long rows, long columns) {\n  for (long r0 = 1; r0 < rows; ++r0) y[r0] = std::exp(x[r0] * 1.0f);\n  for (long r1 = 1; r1 < rows; ++r1) y[r1] = std::exp(x[r1] * 1.0f);\n  for (long r2 = 1; r2 < rows; ++r2) y[r2] = std::exp(x[r2] * 1.0f);\n  for (long r3 = 1; r3 < rows; ++r3) y[r3] = std::exp(x[r3] * 1.0f);\n}\n```\n','\n',char(10)),'First I think of the rows.','[{"role":"system","content":"You write kernels."},{"role":"user","content":"Step 0 of softmax."}]',X'28b52ffd206ebd02008205131990391d9c4545a45c2477e10fc573fcaa3e3e27fb59aabb4b086bb07a14474ae46ec899610827007dc5ac9e2756e883390d9830e502454de55447a869727ef1a23a39ec2240bd0bc7efd4250200521de2b45050',X'7b226964223a2278222c2263686f69636573223a5b5d7d');
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
INSERT INTO failed_attempts VALUES(1,1,0,0,1,'generator','','','timeout','',0,0,0,0,0,0.25,0,0.0,0.0,0,X'637574');
INSERT INTO failed_attempts VALUES(2,1,5,0,0,'generator','','','killed','under way when the engine was killed',0,0,0,0,0,0.0,100,0.5,0.0,9,X'');
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
INSERT INTO started_calls VALUES(1,6,0,'generator',100,0.5,9);
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
INSERT INTO effect_events VALUES(1,0,'cancelled',4,0,'enough',7);
CREATE INDEX trajectories_by_campaign ON trajectories(campaign);
CREATE INDEX transitions_by_kind ON transitions(kind);
CREATE INDEX runs_by_campaign ON runs(campaign);
CREATE INDEX failed_attempts_by_trajectory ON failed_attempts(trajectory);
COMMIT;
PRAGMA application_id = 1382311788;
PRAGMA user_version = 11;
