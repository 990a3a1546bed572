#include "engine/suites/modules/assessment.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::suites::modules {
namespace {

/// Returns the plainest null answer that passes. Those after it in this order mostly pass because it does.
std::string plainest(const std::vector<oracle::PassingNull>& nulls) {
  for (const std::string kind : {"zeros", "constant", "other_draw", "input_copy", "partial_work"}) {
    std::string details;
    for (const auto& null : nulls)
      if (null.kind == kind) details += (details.empty() ? "" : ", by ") + null.detail;
    if (!details.empty()) return details;
  }
  return nulls.front().detail;
}

/// Facts that surprise whoever compares with KernelBench's own evaluator.
std::vector<std::string> notes_of(const oracle::CheckFacts& facts, Evaluator evaluator) {
  std::vector<std::string> notes;
  if (!facts.repeats) notes.push_back("two runs from one seed differ in bits");
  if (evaluator == Evaluator::another) return notes;
  if (facts.cast && !facts.cast->empty())
    notes.push_back("KernelBench's evaluator casts integer inputs to float, and then: " + *facts.cast);
  if (!facts.float64) return notes;
  const auto& exact = *facts.float64;
  if (!exact.failure.empty()) notes.push_back("float64: " + exact.failure);
  if (exact.beyond > 0)
    notes.push_back(fmt::format(
        "{} of {} elements of the reference are off float64 by more than the tolerance, by {:.3g} "
        "of it at the most: a more exact answer fails",
        exact.beyond, exact.elements, exact.units));
  return notes;
}

}  // namespace

Assessment assess(const oracle::CheckFacts& facts, Evaluator evaluator) {
  // The gravest finding decides: a reference that fails itself makes its nulls meaningless.
  Assessment result{Standing::ok, "", notes_of(facts, evaluator)};
  const auto failed =
      std::find_if(facts.trials.begin(), facts.trials.end(), [](const auto& why) { return !why.empty(); });
  if (failed != facts.trials.end()) {
    result.standing = Standing::broken;
    result.reason = fmt::format("the reference fails as its own candidate in trial {}: {}",
                                failed - facts.trials.begin() + 1, *failed);
  } else if (facts.random) {
    result.standing = Standing::broken;
    result.reason =
        "forward draws random numbers: an answer passes only by drawing the same ones in the same order";
  } else if (!facts.nulls.empty()) {
    result.standing = Standing::degenerate;
    result.reason = "passed by " + plainest(facts.nulls);
  }
  return result;
}

Assessment assess(const oracle::OracleFailure& failure) {
  // Memory and time are this machine's limits. Everything else is the file's.
  switch (failure.kind) {
    case oracle::FailureKind::memory:
      return {Standing::does_not_fit, "memory: " + failure.message, {}};
    case oracle::FailureKind::time:
      return {Standing::does_not_fit, "time: " + failure.message, {}};
    case oracle::FailureKind::task:
    case oracle::FailureKind::died:
      break;
  }
  return {Standing::broken, failure.message, {}};
}

std::uint64_t trial_bytes(const oracle::TaskBytes& bytes) {
  // The reference is its own candidate, so there are two models; a second draw checks for constant answers.
  return 2 * bytes.state + bytes.inputs + bytes.forward + 2 * bytes.outputs;
}

std::uint64_t float64_bytes(const oracle::TaskBytes& bytes) {
  // Float64 takes twice the bytes: its model beside one in float32, its inputs beside theirs.
  return 4 * bytes.state + 3 * bytes.inputs + 2 * bytes.forward + bytes.outputs;
}

std::string byte_text(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes >= std::uint64_t{1} << 30) return fmt::format("{:.1f} GiB", value / (1 << 30));
  return fmt::format("{:.1f} MiB", value / (1 << 20));
}

}  // namespace ridgeline::suites::modules
