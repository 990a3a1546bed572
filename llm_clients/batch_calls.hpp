// The requests of a batch client that have no result yet: waiting for a batch, in one, or for another try.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm_clients/batch_queue.hpp"
#include "llm_clients/batch_results.hpp"
#include "llm_clients/client.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/targets.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

class BatchCalls {
 public:
  struct Means {
    Model model;  ///< a batch_model
    const Redactor& redact;
    Timers& timers;
    std::function<double()> random;                ///< uniform in [0, 1)
    std::string url;                               ///< of batches, as results name it
    std::function<void()> due;                     ///< `take` has something
    std::function<bool(const std::string&)> lost;  ///< nobody will find this batch again once it is let go
  };

  BatchCalls(Means means, BatchQueue::Limits limits);

  /// Returns its custom_id. It neither waits for a batch nor is in one yet.
  std::string add(LlmRequest request, Completion done);

  /// It waits for the next batch.
  void enqueue(const std::string& id);
  /// No batch goes before `time`.
  void hold_until(TimePoint time);
  /// The next batch that is due; empty where none is. They still have to be put into it.
  std::vector<BatchItem> take();

  void put_into(const std::string& id, const std::string& batch);
  /// It was sent, now or earlier: that is another attempt.
  void count_attempt(const std::string& id);
  bool is_in(const std::string& id, const std::string& batch) const;
  std::vector<std::string> all_in(const std::string& batch) const;
  std::vector<std::string> all() const;

  /// How its batch of `sent` ended for it: it gets its result, or waits for another try. `others_ran`: the
  /// provider answered others, of this batch or an earlier one.
  void end(const std::string& id, BatchItemEnd end, WallTime sent, bool others_ran);
  /// It gets a failure that is not its own.
  void give_up(const std::string& id, const Failure& failure, Fault fault);
  /// The request of that address gets `cancelled`. Returns its custom_id if it is in a batch, else "".
  std::string cancel(const std::string& address);
  /// All, and all that come later.
  void close(std::string why);

 private:
  struct Call {
    LlmRequest request;
    Completion done;
    std::string body;
    SentParts parts;    ///< of it
    std::string batch;  ///< empty: in none
    bool queued = false;
    int attempts = 0;
    std::optional<TimePoint> first_failure;
  };

  void wake();
  void write_body(Call& call) const;
  Call take_out(const std::string& id);
  RetryDecision next_step(Call& call, const Failure& failure, bool others_answered);
  LlmResult not_its_own(const Call& call, const Failure& failure) const;
  void deliver(Call call, LlmResult result);

  Means means_;
  Target target_;  ///< its model, without what the server was found not to take
  BatchQueue queue_;
  std::map<std::string, Call> calls_;  ///< by custom_id
  std::optional<TimePoint> wake_;
  std::string closed_;  ///< why; empty while it is not
};

}  // namespace ridgeline::llm
