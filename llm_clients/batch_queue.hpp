// When requests that came one by one are sent as a batch. Pure: fed with time points.
//
// A batch waits until no new request has come for a short while: a strategy that asks for forty answers at
// once must not pay for forty batches. It goes at once when it is full.
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
    std::size_t requests = 1000;  ///< in one batch; OpenAI takes 50,000, Anthropic 100,000
    /// Of all bodies of one batch. OpenAI takes files of 200 MB, Anthropic bodies of 256 MB.
    std::size_t bytes = 100'000'000;
  };

  explicit BatchQueue(Limits limits) : limits_(limits) {}

  void add(std::string id, std::size_t bytes, Time now);
  /// The provider takes no batch before `time`.
  void hold_until(Time time);

  /// When `take` will have something; nothing while nothing waits.
  std::optional<Time> due() const;
  /// The next batch, in order of arrival; empty before `due`.
  std::vector<std::string> take(Time now);
  /// All that waits, due or not.
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
