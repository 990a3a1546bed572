// Decides whether a task can be judged, from what the oracle found in its test. No I/O.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/oracle/harvest.hpp"
#include "engine/suites/kernelbenchx/clone.hpp"
#include "engine/suites/modules/assessment.hpp"

namespace ridgeline::suites::kernelbenchx {

/// Why a task is not judged.
enum class Refusal {
  no_entry,         ///< its test calls nothing that its reference defines
  quantization,     ///< its reference does not quantize: what its text asks for fails, what it forbids passes
  wrong_reference,  ///< its reference contradicts its metadata
  cannot_run,       ///< its reference or its test raises on the device
  random,           ///< it draws random numbers, in its reference's own order
  not_unique,       ///< many results are as right as the reference's
  nothing_to_judge,  ///< none of its test's calls can be judged, for reasons of their own
  degenerate,        ///< an answer that does not do the work passes
  unsound,           ///< the reference fails as its own candidate
  does_not_fit       ///< memory or time of this machine
};
constexpr auto enum_names(Refusal) {
  return std::to_array<Name<Refusal>>({{Refusal::no_entry, "no_entry"},
                                       {Refusal::quantization, "quantization"},
                                       {Refusal::wrong_reference, "wrong_reference"},
                                       {Refusal::cannot_run, "cannot_run"},
                                       {Refusal::random, "random"},
                                       {Refusal::not_unique, "not_unique"},
                                       {Refusal::nothing_to_judge, "nothing_to_judge"},
                                       {Refusal::degenerate, "degenerate"},
                                       {Refusal::unsound, "unsound"},
                                       {Refusal::does_not_fit, "does_not_fit"}});
}
/// Returns the standing of a task that is refused for this.
Standing standing_of(Refusal refusal);

/// The result: a task that can be judged has no refusal.
struct Decision {
  std::optional<Refusal> refusal;
  std::string reason;              ///< "" without refusal
  std::vector<std::string> notes;  ///< facts worth knowing, such as calls that are not judged

  modules::Assessment assessment() const;
};

/// Decides what a file alone says, before anything is run.
Decision decide(const TaskFile& task);
/// Decides what the calls of its test say. One random call suffices to refuse a task, and so does one whose
/// result is not unique: an answer that is right on the other calls alone would pass.
Decision decide(const oracle::Harvest& harvest);
Decision decide(const oracle::OracleFailure& failure);
/// Decides what the trials of the module say that was made of those calls.
Decision decide(const modules::Assessment& trials);

}  // namespace ridgeline::suites::kernelbenchx
