// What an answer cost, which diagnosis led to it, and whether that was borne out.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/export/formats.hpp"

namespace ridgeline::exporting {

/// Returns the columns
/// - `diagnosis`: the sentence about the slowest diagnosed case of the candidate to change, if the prompt
/// showed its
///   roofline; "" otherwise. `bound`: what that case was nearest to, "memory", "compute" or "latency".
/// - `borne_out`: "yes" if the answer is measurably faster, "no" if it is not, "" if there was no diagnosis,
///   or if one of the two has no time.
/// - `efficiency_before`, `efficiency_after`: of that case, the larger share of bandwidth and arithmetic; 0
///   if unknown.
/// - `calls`: model requests of the trajectory up to the end of this step, critics' and siblings' too;
///   `usd_so_far`: theirs. `input_tokens`, `output_tokens`, `usd`: of this one.
/// `edge` is null for an answer to a first prompt.
nlohmann::json worth_of(const TaskTrajectories& task, const ExportedTrajectory& trajectory,
                        const store::AttemptRecord& attempt, const Edge* edge);

/// Their types (schema.hpp).
nlohmann::json schema_of_worth();

}  // namespace ridgeline::exporting
