// Decides which request is built, measured or answered next. A request asks the agent to build a candidate
// and to have a judge measure it: each device (a CPU or a GPU) has one judge, a process of its own. The
// scheduler makes every decision of the agent and does no I/O.
//
// Methods report events; `take_actions` returns what to do. For one thread. Requests are measured in the
// order in which their builds end, one at a time on each device. Of several devices of a backend each keeps
// its own tasks (device_choice.hpp), whose references and baselines its judge has. A request whose judge died
// is repeated on another device, if there is one. Builds run beside measurements, at most
// `builders` at once, and only while fewer than `built_ahead` artefacts (results of builds) wait. Requests
// with the same build share it. A request whose backend ("cpu", "cuda") has no device here is built all the
// same, because its compile errors are useful.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/worker/agent/device_choice.hpp"

namespace ridgeline::agent {

struct SchedulerSettings {
  int builders = 1;  ///< builds that may run at once
  /// One element per device: its backend, "cpu" or "cuda". The index is the device's number everywhere below.
  std::vector<std::string> devices = {"cpu"};
  std::size_t built_ahead = 4;  ///< artefacts that may wait for a device, running builds included
  bool prepares = false;        ///< whether an idle judge prepares for a candidate that is being built
  int judge_retries = 1;        ///< how often a request is repeated after its judge died
  int judge_failures = 5;       ///< deaths in a row after which a device is given up
  /// Seconds before a dead judge is started again. Doubles with each death in a row.
  double first_delay = 0.1;
  double longest_delay = 10;  ///< seconds that the doubled delay never exceeds
};

/// A request, as far as the scheduler has to know it.
struct WorkItem {
  std::string id;
  std::string build;    ///< key of its build; "" if there is nothing to build
  std::string backend;  ///< backend of the device that measures it
  std::string task;     ///< what a judge keeps is of this task; "" if nothing is kept
};

/// How a request ends.
enum class RequestEnd {
  build_failed,  ///< the result of its build is the answer
  measured,      ///< the judge's answer is the answer
  judge_failed,  ///< the judge died during it, and again when it was repeated
  no_device      ///< its backend has no device (decided after the build), or none whose judge can be started
};

/// Starts a build. `build_ended` reports its end.
struct StartBuild {
  std::string build;  ///< its key
  std::string id;     ///< one of the requests with that build
};
/// Sends a request to the judge of a device. `judge_answered` or `judge_lost` reports the end.
struct StartMeasure {
  std::string id;
  int device = 0;
};
/// Lets the judge of a device prepare for a request: start processes, draw inputs. Ends like a measurement.
struct StartPrepare {
  std::string id;  ///< the request; its build is running
  int device = 0;
};
/// Lets the judge of a device start what tasks with a torch.nn.Module need: a Python process that imports
/// torch takes seconds to start. Ends like a measurement.
struct AnnounceModules {
  int device = 0;
};
/// Starts the judge of a device. `judge_ready` or `judge_lost` reports the end.
struct StartJudge {
  int device = 0;
  double delay = 0;  ///< seconds to wait before
};
/// Answers a request, of which the scheduler knows nothing any more.
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
  /// Drops a request: no action answers it. A build or measurement that runs for it goes on, and its result
  /// is ignored. Ignores an unknown id.
  void cancel(const std::string& id);
  /// Announces tasks with a torch.nn.Module: each judge of that backend gets AnnounceModules as soon as it is
  /// idle.
  void expect_modules(const std::string& backend);
  /// Reports that a build ended. `built`: there is an artefact, not a compile error.
  void build_ended(const std::string& build, bool built);
  /// Reports that the judge of a device has started.
  void judge_ready(int device);
  /// Reports that the judge of a device has answered what it was sent last, be it a measurement, a
  /// preparation or an announcement.
  void judge_answered(int device);
  /// Reports that the judge of a device died, could not be started, or sent an answer that cannot be read.
  void judge_lost(int device);

  /// Returns what to do now, in order. Call it after every event.
  std::vector<Action> take_actions();
  /// Returns how many requests have no answer yet.
  std::size_t in_flight() const { return requests_.size(); }

 private:
  enum class State { waiting, building, built, measuring };
  struct Request {
    WorkItem work;
    State state = State::waiting;
    int judges_lost = 0;
    int lost_on = -1;  ///< device whose judge died under it; -1: none did
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
  /// How many devices of the backend are not given up.
  std::size_t working(const std::string& backend) const;
  bool has_device(const std::string& backend) const;
  /// Whether the backend has devices, but none whose judge can be started any more.
  bool given_up(const std::string& backend) const;
  void start_builds();
  void start_measures();
  std::deque<std::string>::iterator next_for(std::size_t device);
  void announce_modules();
  void start_prepares();

  SchedulerSettings settings_;
  std::vector<Device> devices_;
  std::map<std::string, Request> requests_;
  std::deque<std::string> to_build_;    ///< ids, oldest first
  std::deque<std::string> to_measure_;  ///< ids, next one first
  std::map<std::string, std::vector<std::string>>
      builds_;  ///< running builds, each with the ids that wait for it
  DeviceChoice choice_;
  std::vector<Action> actions_;
};

}  // namespace ridgeline::agent
