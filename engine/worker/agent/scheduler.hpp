// Which request is built, measured or answered next: every decision of the agent, and no I/O.
//
// Events come in by the methods, what to do goes out by `take_actions`. One thread. Requests are measured in
// the order in which their builds end, one at a time on each device; builds run beside, at most `builders` at
// once and only as long as fewer than `built_ahead` artefacts wait. The same build asked twice at once runs
// once. What no device here could ever measure is built all the same: its compile errors are as good as any.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace ridgeline::agent {

struct SchedulerSettings {
  int builders = 1;
  std::vector<std::string> devices = {"cpu"};  ///< the backend of each; a device's index here is its number
  std::size_t built_ahead = 4;
  bool prepares = false;   ///< an idle judge makes ready for what is being built
  int judge_retries = 1;   ///< further tries of a request whose judge died
  int judge_failures = 5;  ///< deaths in a row after which a device is given up
  double first_delay =
      0.1;  ///< seconds before a judge that died is started again; doubles with each in a row
  double longest_delay = 10;
};

struct Work {
  std::string id;
  std::string build;    ///< what is to be built, by content; "" if there is nothing to build
  std::string backend;  ///< of the device that measures it
};

/// How a request ends.
enum class RequestEnd {
  build_failed,  ///< the result of its build is the answer
  measured,      ///< the judge's answer is the answer
  judge_failed,  ///< the judge died under it, and again on the retry
  no_device      ///< no device of its backend (found once it is built), or none whose judge can be started
};

struct StartBuild {
  std::string build;
  std::string id;  ///< one of the requests that want it
};
struct StartMeasure {
  std::string id;
  int device = 0;
};
struct StartPrepare {
  std::string id;
  int device = 0;
};
struct StartExpecting {
  int device = 0;
};
struct StartJudge {
  int device = 0;
  double delay = 0;  ///< seconds
};
struct Finish {
  std::string id;
  RequestEnd ending = RequestEnd::measured;
};
using Action = std::variant<StartBuild, StartMeasure, StartPrepare, StartExpecting, StartJudge, Finish>;

class Scheduler {
 public:
  /// Asks for every judge to be started.
  explicit Scheduler(SchedulerSettings settings);

  /// False if the id is in flight already; nothing changes then.
  bool submit(Work work);
  void cancel(const std::string& id);
  /// Judges of that backend are told that modules will come, as soon as they have nothing else to do.
  void expect_modules(const std::string& backend);
  void build_ended(const std::string& build, bool built);
  void judge_ready(int device);
  /// The judge answered the request that it had, or has made ready.
  void measured(int device);
  /// The judge died, could not be started, or answered nonsense.
  void judge_lost(int device);

  std::vector<Action> take_actions();
  std::size_t in_flight() const { return requests_.size(); }

 private:
  enum class State { waiting, building, built, measuring };
  struct Request {
    Work work;
    State state = State::waiting;
    int judges_lost = 0;
  };
  enum class JudgeState { starting, idle, busy, given_up };
  struct Device {
    std::string backend;
    JudgeState state = JudgeState::starting;
    std::string request;  ///< while busy; "" once cancelled, and while it makes ready
    int failures = 0;     ///< in a row
    bool preparing = false;
    bool expects = false;   ///< it is to be told that modules will come
    bool prepared = false;  ///< since the last measurement: what was made ready is not pushed out again
  };

  void finish(const std::string& id, RequestEnd ending);
  bool has_device(const std::string& backend) const;
  /// There was a device, and its judge cannot be started any more: another worker should have the request.
  bool given_up(const std::string& backend) const;
  void start_builds();
  void start_measures();
  void start_expecting();
  void start_prepares();

  SchedulerSettings settings_;
  std::vector<Device> devices_;
  std::map<std::string, Request> requests_;
  std::deque<std::string> to_build_;                        ///< ids, oldest first
  std::deque<std::string> to_measure_;                      ///< ids, the next first
  std::map<std::string, std::vector<std::string>> builds_;  ///< running, with the ids that wait for each
  std::vector<Action> actions_;
};

}  // namespace ridgeline::agent
