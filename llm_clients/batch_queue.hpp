// Decides when requests that came one by one are sent as a batch. Does no I/O; the caller passes the time.
//
// A batch goes when no new request has come for a short while, so that a strategy that begins forty requests
// at once gets one batch and not forty. A full batch goes at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::llm {

class BatchQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Limits {
    double window = 2;            ///< seconds without a new request after which the batch goes
    std::size_t requests = 1000;  ///< in one batch; OpenAI allows 50,000, Anthropic 100,000
    /// All bodies of one batch together. OpenAI allows files of 200 MB, Anthropic bodies of 256 MB.
    std::size_t bytes = 100'000'000;
  };

  explicit BatchQueue(Limits limits) : limits_(limits) {}

  void add(std::string id, std::size_t bytes, Time now);
  /// Makes no batch due before `time`, because the provider accepts none until then.
  void hold_until(Time time);

  /// Returns when `take` will return a batch; nothing if no request waits.
  std::optional<Time> due() const;
  /// Returns the ids of the next batch, in order of arrival; none before `due`.
  std::vector<std::string> take(Time now);
  /// Returns all ids, due or not, and empties the queue.
  std::vector<std::string> take_all();

 private:
  struct Waiting {
    std::string id;
    std::size_t bytes = 0;
  };
  bool full() const;

  Limits limits_;
  std::deque<Waiting> waiting_;
  std::size_t bytes_ = 0;
  Time last_{};
  Time held_until_{};
};

}  // namespace ridgeline::llm
