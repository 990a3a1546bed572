// Holds the requests of a batch client that have no result yet. Each waits for the next batch, is in a batch,
// or waits for another attempt. Belongs to the client's thread.
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
  struct Context {
    Model model;  ///< made by batch_model()
    const Redactor& redact;
    Timers& timers;
    std::function<double()> random;  ///< uniform in [0, 1)
    std::string url;                 ///< the batch endpoint, as results name it
    std::function<void()> on_due;    ///< called when `take` has a batch to return
    /// Whether no later process could find the batch with that key. Once this client drops it, its results
    /// are then lost, though they are paid for.
    std::function<bool(const std::string&)> is_lost;
  };

  BatchCalls(Context context, BatchQueue::Limits limits);

  /// Adds a request and returns its custom_id, by which a batch's results name it; `id` below. The caller
  /// then enqueues it or puts it into a batch.
  std::string add(LlmRequest request, Completion done);

  /// Lets the request wait for the next batch.
  void enqueue(const std::string& id);
  /// Returns no batch from `take` before `time`.
  void hold_until(TimePoint time);
  /// Returns the requests of the next batch that is due, or none. The caller calls `put_into` for each.
  std::vector<BatchItem> take();

  /// Records that the request is in the batch with the key `batch`.
  void put_into(const std::string& id, const std::string& batch);
  /// Counts an attempt: the request was sent, now or by an earlier process.
  void count_attempt(const std::string& id);
  /// Whether a request has no result yet and is in that batch; "" for `batch`: in none.
  bool is_in(const std::string& id, const std::string& batch) const;
  /// Returns the custom_ids of all requests in that batch.
  std::vector<std::string> all_in(const std::string& batch) const;
  std::vector<std::string> all() const;

  /// Ends one request of a batch that was sent at `sent`: delivers its result, or lets it wait for another
  /// attempt. `others_ran`: the provider answered another request, in this batch or an earlier one.
  void finish_item(const std::string& id, BatchItemEnd end, WallTime sent, bool others_ran);
  /// Ends a request because of its batch or the endpoint: delivers `failure`, which is none of its own.
  /// Reports a failed attempt before, if it may have cost something. Ignores an unknown id.
  void give_up(const std::string& id, const Failure& failure, Fault fault);
  /// Delivers `cancelled` to the request of that address. Returns its custom_id if it is in a batch, else "".
  std::string cancel(const std::string& address);
  /// Delivers `cancelled` to all requests, and to every one that is added later. `why` is the reason shown.
  void close(std::string why);

 private:
  struct Call {
    LlmRequest request;
    Completion done;
    std::string body;
    SentParts parts;    ///< the optional parts that `body` has
    std::string batch;  ///< key of the batch that it is in; empty if none
    bool queued = false;
    int attempts = 0;
    std::optional<TimePoint> first_failure;
  };

  /// Sets the timer for the next batch that becomes due.
  void wake();
  void write_body(Call& call) const;
  /// Removes a request and returns it.
  Call take_out(const std::string& id);
  RetryDecision next_step(Call& call, const Failure& failure, bool others_answered);
  LlmResult unfinished_result(const Call& call, const Failure& failure) const;
  void deliver(Call call, LlmResult result);

  Context context_;
  Target target_;  ///< holds the model entry, without the parts of the body that the server rejected
  BatchQueue queue_;
  std::map<std::string, Call> calls_;  ///< by custom_id
  std::optional<TimePoint> wake_;
  std::string closed_;  ///< the reason that `close` gave; empty while open
};

}  // namespace ridgeline::llm
