// Decides which worker gets which request, and what follows when a worker is lost. These are all decisions of
// the pool, without processes, sockets or clocks.
//
// Methods report events; `take_actions` returns what to do. A request whose worker is lost goes once more to
// another worker (or to the same one, restarted, if there is no other); if that is lost too, the request is
// given up. A lost worker is started again after a delay that doubles with each loss in a row. One that was
// started `starts` times in a row, the first time included, and lost without an answer stays down. Once all
// are down for good, waiting requests are given up too.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

namespace ridgeline::evaluation {

struct DispatcherSettings {
  int retries = 1;            ///< how often a request is sent again after its worker was lost
  int starts = 6;             ///< how often a worker is started in a row without an answer in between
  double first_delay = 0.5;   ///< seconds before a lost worker is started again
  double longest_delay = 30;  ///< seconds
};

using RequestId = std::uint64_t;

struct StartWorker {
  int worker = 0;
  double delay = 0;  ///< seconds
};
struct Send {
  int worker = 0;
  RequestId request = 0;
};
struct GiveUp {
  RequestId request = 0;
};
using DispatchAction = std::variant<StartWorker, Send, GiveUp>;

/// For one thread.
class Dispatcher {
 public:
  /// The first actions start every worker.
  Dispatcher(int workers, DispatcherSettings settings);

  void submit(RequestId request);
  /// Drops a request; its worker is not told. Ignores an unknown request.
  void cancel(RequestId request);
  /// A worker said hello and can use `window` requests at once.
  void worker_ready(int worker, int window);
  /// A worker answered. Returns false if it did not have that request (a late answer, or a broken worker);
  /// the caller then ignores the answer.
  bool answered(int worker, RequestId request);
  /// A worker died or could not be started.
  void worker_lost(int worker);
  /// A worker must not be started again: it lacks something, or has another version.
  void worker_refused(int worker);

  /// Returns what to do now, in order. Call it after every event.
  std::vector<DispatchAction> take_actions();
  bool any_worker_left() const;  ///< false: every worker is down for good
  std::size_t in_flight(int worker) const {
    return workers_.at(static_cast<std::size_t>(worker)).requests.size();
  }

 private:
  enum class State { starting, ready, down };
  struct Worker {
    State state = State::starting;
    std::size_t window = 0;
    int losses = 0;  ///< in a row
    std::set<RequestId> requests;
  };
  struct Retry {
    int losses = 0;
    int avoid = -1;  ///< the worker that was lost with it
  };

  void requeue_requests_of(int worker);
  std::optional<int> least_loaded_for(RequestId request) const;
  bool another_worker_than(int worker) const;

  DispatcherSettings settings_;
  std::vector<Worker> workers_;
  std::deque<RequestId> waiting_;
  std::map<RequestId, Retry> retries_;  ///< requests whose worker was lost
  std::vector<DispatchAction> actions_;
};

}  // namespace ridgeline::evaluation
