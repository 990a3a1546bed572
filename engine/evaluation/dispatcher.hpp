// Which worker gets which request, and what happens when one is lost: the pool's decisions, without
// processes, sockets or clocks.
//
// Events come in by the methods, what to do goes out by `take_actions`. A request whose worker is lost goes,
// once, to another (or to the same one started anew where there is no other); lost again it is given up. A
// worker that is lost is started again after a delay that doubles with each loss in a row; after `starts` in
// a row it stays down.
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
  int retries = 1;           ///< of a request
  int starts = 6;            ///< of a worker in a row, without an answer in between
  double first_delay = 0.5;  ///< seconds
  double longest_delay = 30;
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

class Dispatcher {
 public:
  /// Asks for every worker to be started.
  Dispatcher(int workers, DispatcherSettings settings);

  void submit(RequestId request);
  void cancel(RequestId request);
  /// The worker said hello and can use `window` requests at once.
  void ready(int worker, int window);
  /// False if the worker did not have that request (a late answer, or one out of nowhere): ignore the answer.
  bool answered(int worker, RequestId request);
  void lost(int worker);
  /// It must not be started again: it refused, or is of another version.
  void refused(int worker);

  std::vector<DispatchAction> take_actions();
  bool any_left() const;  ///< false: every worker is down for good
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

  void take_back(int worker);
  std::optional<int> best_for(RequestId request) const;
  bool another_than(int worker) const;

  DispatcherSettings settings_;
  std::vector<Worker> workers_;
  std::deque<RequestId> waiting_;
  std::map<RequestId, Retry> retries_;  ///< of requests that lost a worker
  std::vector<DispatchAction> actions_;
};

}  // namespace ridgeline::evaluation
