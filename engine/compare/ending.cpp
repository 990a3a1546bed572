#include "engine/compare/ending.hpp"

namespace ridgeline::compare {
namespace {

Ending ending_of_build(Reason reason) {
  return reason == Reason::build_timeout ? Ending::timeout : Ending::compilation_error;
}

Ending ending_of_call(Reason reason) {
  switch (reason) {
    case Reason::load_error:
      return Ending::compilation_error;
    case Reason::timed_out:
      return Ending::timeout;
    case Reason::launch_error:
      return Ending::cuda_error;
    default:
      // A forbidden system call or a crash says as little about the GPU as an exception does.
      return Ending::runtime_error;
  }
}

Ending ending_of_timing(Reason reason) {
  switch (reason) {
    case Reason::wrong_when_timed:
      return Ending::correctness_issue;
    case Reason::implausible:
    case Reason::timing_disputed:
      return Ending::excessive_speedup;
    case Reason::timed_out:
      return Ending::timeout;
    default:
      return Ending::error_during_performance;
  }
}

}  // namespace

Ending ending_of_failure(std::optional<Stage> failed, Reason reason) {
  if (!failed) return Ending::cheated;  // every stage passed and still it is not correct
  switch (*failed) {
    case Stage::build:
      return ending_of_build(reason);
    case Stage::call:
      return ending_of_call(reason);
    case Stage::correctness:
      return reason == Reason::falls_back ? Ending::other_error : Ending::correctness_issue;
    default:
      return ending_of_timing(reason);
  }
}

}  // namespace ridgeline::compare
