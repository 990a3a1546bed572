#include "llm_clients/batch_pauses.hpp"

#include <algorithm>
#include <string>

namespace ridgeline::llm {
namespace {

constexpr double kShortestBatchPause = 0.05;  // seconds, whatever `retries.base` says

}  // namespace

double PollPauses::next() {
  const double pause = std::min(next_, longest_);
  next_ = std::min(longest_, next_ * 1.5);
  return pause;
}

RetryDecision BatchPatience::failed(TimePoint now, const Failure& failure, int attempt) {
  // The exchange carried no single request, so any refusal concerns the whole entry: the key, the address.
  if (failure.blame != Blame::endpoint && failure.blame != Blame::answer) return GiveUp{"", Fault::account};
  if (!since_) since_ = now;
  // The pause equals the time since the first failure, so the total time doubles with each pause.
  const double out = std::chrono::duration<double>(now - *since_).count();
  const double shortest = std::max(retries_.base, kShortestBatchPause);
  const double pause = std::max(std::clamp(out, shortest, std::max(shortest, patience_.longest_pause)),
                                failure.wait_s.value_or(0));
  if (patience_.seconds <= 0) {
    if (attempt < retries_.attempts && pause <= retries_.longest) return RetryIn{pause};
    since_.reset();
    if (attempt >= retries_.attempts)
      return GiveUp{"given up after " + std::to_string(attempt) + " attempts (retries.attempts)",
                    Fault::endpoint};
    return GiveUp{(failure.wait_s.value_or(0) >= pause ? "the server asks for a wait of "
                                                       : "the next attempt would come after a pause of ") +
                      duration_text(pause) + ", more than retries.longest allows",
                  Fault::endpoint};
  }
  if (out + pause <= patience_.seconds) return RetryIn{pause};
  since_.reset();  // a later request has the whole patience again
  return GiveUp{"no answer for " + duration_text(out) + "; the model entry's patience of " +
                    duration_text(patience_.seconds) + " is over",
                Fault::endpoint};
}

}  // namespace ridgeline::llm
