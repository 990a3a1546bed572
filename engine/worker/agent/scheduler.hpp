// Decides which request is built, measured or answered next. It makes every decision of the agent and does no
// I/O.
//
// Methods report events; `take_actions` returns what to do. For one thread. Requests are measured in the
// order in which their builds end, one at a time on each device. Builds run beside measurements, at most
// `builders` at once, and only while fewer than `built_ahead` artefacts wait. Requests with the same build
// share it. A request whose backend has no device here is built all the same, because its compile errors are
// useful.
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
  std::vector<std::string> devices = {"cpu"};  ///< the backend of each device; the index is its number
  std::size_t built_ahead = 4;                 ///< artefacts that may wait for a device
  bool prepares = false;                       ///< an idle judge prepares for a candidate that is being built
  int judge_retries = 1;                       ///< how often a request is repeated after its judge died
  int judge_failures = 5;                      ///< deaths in a row after which a device is given up
  /// Seconds before a dead judge is started again. Doubles with each death in a row.
  double first_delay = 0.1;
  double longest_delay = 10;
};

/// A request, as far as the scheduler has to know it.
struct WorkItem {
  std::string id;
  std::string build;    ///< key of its build; "" if there is nothing to build
  std::string backend;  ///< backend of the device that measures it
};

/// How a request ends.
enum class RequestEnd {
  build_failed,  ///< the result of its build is the answer
  measured,      ///< the judge's answer is the answer
  judge_failed,  ///< the judge died during it, and again when it was repeated
  no_device      ///< its backend has no device (decided after the build), or none whose judge can be started
};

struct StartBuild {
  std::string build;
  std::string id;  ///< one of the requests with that build
};
struct StartMeasure {
  std::string id;
  int device = 0;
};
struct StartPrepare {
  std::string id;
  int device = 0;
};
/// Tells the judge of a device that modules of torch will come.
struct AnnounceModules {
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
using Action = std::variant<StartBuild, StartMeasure, StartPrepare, AnnounceModules, StartJudge, Finish>;

class Scheduler {
 public:
  /// The first actions start every judge.
  explicit Scheduler(SchedulerSettings settings);

  /// Adds a request. Returns false, and changes nothing, if its id is in flight already.
  bool submit(WorkItem work);
  /// Drops a request: no action answers it. Ignores an unknown id.
  void cancel(const std::string& id);
  /// Makes every idle judge of that backend learn that modules of torch will come; a busy one when it is
  /// idle.
  void expect_modules(const std::string& backend);
  /// A build ended; `built` if there is an artefact.
  void build_ended(const std::string& build, bool built);
  /// A judge was started.
  void judge_ready(int device);
  /// The judge answered: a measurement, a preparation or an announcement.
  void measured(int device);
  /// The judge died, could not be started, or answered nonsense.
  void judge_lost(int device);

  /// Returns what to do now, in order. Call it after every event.
  std::vector<Action> take_actions();
  std::size_t in_flight() const { return requests_.size(); }

 private:
  enum class State { waiting, building, built, measuring };
  struct Request {
    WorkItem work;
    State state = State::waiting;
    int judges_lost = 0;
  };
  enum class JudgeState { starting, idle, busy, given_up };
  struct Device {
    std::string backend;
    JudgeState state = JudgeState::starting;
    std::string request;          ///< measured while busy; "" once cancelled, and while it prepares
    int failures = 0;             ///< deaths in a row
    bool preparing = false;       ///< busy with a preparation or an announcement
    bool modules_coming = false;  ///< its judge does not know yet that modules will come
    bool prepared =
        false;  ///< prepared since the last measurement; a second preparation would displace the first
  };

  void finish(const std::string& id, RequestEnd ending);
  bool has_device(const std::string& backend) const;
  /// Whether the backend has devices, but none whose judge can be started any more.
  bool given_up(const std::string& backend) const;
  void start_builds();
  void start_measures();
  void announce_modules();
  void start_prepares();

  SchedulerSettings settings_;
  std::vector<Device> devices_;
  std::map<std::string, Request> requests_;
  std::deque<std::string> to_build_;    ///< ids, oldest first
  std::deque<std::string> to_measure_;  ///< ids, next one first
  std::map<std::string, std::vector<std::string>>
      builds_;  ///< running builds, each with the ids that wait for it
  std::vector<Action> actions_;
};

}  // namespace ridgeline::agent
