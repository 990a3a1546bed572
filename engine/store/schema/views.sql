-- Figures of verdicts as rows, each computed from evaluations.verdict when it is asked for. NULL is NaN.
-- A new field of a verdict needs no change here: the document has it. Add a column where users want it in SQL.

CREATE VIEW stage_results AS
SELECT evaluations.id AS evaluation,
  CASE stage.key WHEN 'build' THEN 0 WHEN 'call' THEN 1 WHEN 'correctness' THEN 2 WHEN 'timing' THEN 3
    WHEN 'profile' THEN 4 END AS ordinal,
  stage.key AS stage,
  stage.value ->> '$.status' AS status,
  stage.value ->> '$.reason' AS reason,
  stage.value ->> '$.detail' AS detail,
  stage.value ->> '$.seconds' AS seconds
FROM evaluations, json_each(evaluations.verdict, '$.stages') AS stage
-- A stage that was not reached and has nothing to say is no result.
WHERE stage.value ->> '$.status' <> 'not_reached' OR stage.value ->> '$.reason' <> 'none'
  OR stage.value ->> '$.detail' <> '' OR stage.value ->> '$.seconds' <> 0;

-- In place of a duration's samples the document has [first, count]: their place in evaluations.samples.
-- substr of an empty blob is NULL.
CREATE VIEW timings AS
SELECT evaluations.id AS evaluation,
  one.key AS ordinal,
  one.value ->> '$.case_name' AS case_name,
  one.value ->> '$.cold.median' AS cold,
  one.value ->> '$.cold.low' AS cold_low,
  one.value ->> '$.cold.high' AS cold_high,
  one.value ->> '$.cold.converged' AS cold_converged,
  coalesce(substr(samples, 1 + 8 * (one.value ->> '$.cold.samples[0]'),
    8 * (one.value ->> '$.cold.samples[1]')), x'') AS cold_samples,
  one.value ->> '$.hot.median' AS hot,
  one.value ->> '$.hot.low' AS hot_low,
  one.value ->> '$.hot.high' AS hot_high,
  one.value ->> '$.hot.converged' AS hot_converged,
  coalesce(substr(samples, 1 + 8 * (one.value ->> '$.hot.samples[0]'),
    8 * (one.value ->> '$.hot.samples[1]')), x'') AS hot_samples,
  one.value ->> '$.baseline_cold.median' AS baseline,
  one.value ->> '$.baseline_cold.low' AS baseline_low,
  one.value ->> '$.baseline_cold.high' AS baseline_high,
  one.value ->> '$.baseline_cold.converged' AS baseline_converged,
  coalesce(substr(samples, 1 + 8 * (one.value ->> '$.baseline_cold.samples[0]'),
    8 * (one.value ->> '$.baseline_cold.samples[1]')), x'') AS baseline_samples,
  one.value ->> '$.baseline_drift' AS baseline_drift,
  one.value ->> '$.claimed' AS claimed,
  one.value ->> '$.cpu_seconds' AS cpu_seconds,
  one.value ->> '$.slots_verified' AS slots_verified,
  one.value ->> '$.speedup' AS speedup,
  one.value ->> '$.speedup_low' AS speedup_low,
  one.value ->> '$.speedup_high' AS speedup_high,
  one.value ->> '$.clock_hz' AS clock_hz,
  one.value ->> '$.replayed.median' AS replayed,
  one.value ->> '$.replayed.low' AS replayed_low,
  one.value ->> '$.replayed.high' AS replayed_high,
  one.value ->> '$.replayed.converged' AS replayed_converged,
  coalesce(substr(samples, 1 + 8 * (one.value ->> '$.replayed.samples[0]'),
    8 * (one.value ->> '$.replayed.samples[1]')), x'') AS replayed_samples,
  one.value ->> '$.energy' AS energy,
  one.value ->> '$.energy_above_idle' AS energy_above_idle
FROM evaluations, json_each(evaluations.verdict, '$.timing.cases') AS one;

-- An error over a tolerance of zero is infinite, which JSON cannot say: the document has "inf" or "nan".
CREATE VIEW error_quantiles AS
SELECT evaluations.id AS evaluation,
  one.key AS ordinal,
  one.value ->> '$.case_name' AS case_name,
  one.value ->> '$.input_set' AS input_set,
  one.value ->> '$.output' AS output,
  CASE one.value ->> '$.median' WHEN 'nan' THEN NULL WHEN 'inf' THEN 9e999 WHEN '-inf' THEN -9e999
    ELSE one.value ->> '$.median' END AS median,
  CASE one.value ->> '$.p99' WHEN 'nan' THEN NULL WHEN 'inf' THEN 9e999 WHEN '-inf' THEN -9e999
    ELSE one.value ->> '$.p99' END AS p99,
  CASE one.value ->> '$.worst' WHEN 'nan' THEN NULL WHEN 'inf' THEN 9e999 WHEN '-inf' THEN -9e999
    ELSE one.value ->> '$.worst' END AS worst
FROM evaluations, json_each(evaluations.verdict, '$.errors') AS one;

CREATE VIEW rooflines AS
SELECT evaluations.id AS evaluation,
  one.key AS ordinal,
  one.value ->> '$.case_name' AS case_name,
  one.value ->> '$.bytes' AS bytes,
  one.value ->> '$.operations' AS operations,
  one.value ->> '$.bytes_source' AS bytes_source,
  one.value ->> '$.operations_source' AS operations_source,
  one.value ->> '$.seconds' AS seconds,
  one.value ->> '$.intensity' AS intensity,
  one.value ->> '$.roof_seconds' AS roof_seconds,
  one.value ->> '$.bandwidth_share' AS bandwidth_share,
  one.value ->> '$.compute_share' AS compute_share,
  one.value ->> '$.efficiency' AS efficiency,
  one.value ->> '$.headroom_seconds' AS headroom_seconds,
  one.value ->> '$.bound' AS bound,
  one.value ->> '$.diagnosis' AS diagnosis
FROM evaluations, json_each(evaluations.verdict, '$.rooflines') AS one;

CREATE VIEW counters AS
SELECT evaluations.id AS evaluation,
  roofline.key AS roofline,
  counter.key AS ordinal,
  counter.value ->> '$.name' AS name,
  counter.value ->> '$.value' AS value,
  counter.value ->> '$.source' AS source
FROM evaluations, json_each(evaluations.verdict, '$.rooflines') AS roofline,
  json_each(roofline.value, '$.counters') AS counter;
