// What a comparison needs of each attempt, read for a whole campaign at once. Neither texts nor whole
// verdicts are read: parsing a hundred thousand verdicts takes a dozen seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/attempt.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/roofline.hpp"
#include "engine/core/verdict.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::store {

class Reader;

/// The figures of an evaluation and its verdict, each as Verdict has it.
struct EvaluationFigures {
  Id id = 0;  ///< of the evaluation, for `rooflines_of`
  Hash candidate;
  EvaluationStatus status = EvaluationStatus::evaluated;
  Milliseconds started_at = 0, ended_at = 0;
  std::string device;
  bool judged = false, compiled = false, correct = false;
  bool faithful = false;           ///< Verdict::faithful_correct
  std::optional<Stage> failed_at;  ///< the first stage before profile that did not pass; empty if all did
  Status failed_status = Status::passed;                  ///< of that stage
  Reason reason = Reason::none;                           ///< of that stage
  double speedup = 0, speedup_low = 0, speedup_high = 0;  ///< as timed, correct or not; 0 if not timed
  std::string doubt;       ///< the first of Verdict::suspicions; "" if there is none
  int final_failures = 0;  ///< how many
  std::vector<QuantizationDistance> quantization;
  double gpu_seconds = 0;  ///< spent by the judge in the stages after the build, on a GPU or a CPU's core
};

struct AttemptFigures {
  Id trajectory = 0;
  int round = 0;
  bool critic = false;
  AnswerStatus answer = AnswerStatus::model_failed;
  bool sent = false;        ///< to a model: a status of the model's client is there
  std::int64_t tokens = 0;  ///< input plus output
  double usd = 0;
  Milliseconds started_at = 0, ended_at = 0;  ///< of the model request
  std::optional<EvaluationFigures> evaluation;
};

/// Returns all attempts of a campaign, ordered by trajectory, step and slot. Throws MachineCannot if the file
/// is damaged.
std::vector<AttemptFigures> read_figures(const Reader& reader, Id campaign);

/// Returns the rooflines of an evaluation's verdict.
std::vector<Roofline> rooflines_of(const Reader& reader, Id evaluation);

}  // namespace ridgeline::store
