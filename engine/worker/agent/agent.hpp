// The agent: accepts requests, builds them on builder threads, has a judge measure them on one thread per
// device, and answers.
//
//   Agent agent(settings, builder, make_judge, answer, log);
//   agent.boot();          // starts the first judge, whose description goes into the hello
//   agent.post(request);   // from any thread
//   agent.run();           // on this thread, until `end`
//
// The Scheduler decides; the agent carries its decisions out. `answer` is called on the thread of `run`.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "engine/worker/agent/blocking_queue.hpp"
#include "engine/worker/agent/machine.hpp"
#include "engine/worker/agent/ports.hpp"
#include "engine/worker/agent/scheduler.hpp"

namespace ridgeline::agent {

struct AgentSettings {
  CorePlan cores;  ///< until the devices are known
  /// Plans the cores for the devices that the machine's judge describes; null: `cores` stays.
  std::function<CorePlan(const std::vector<protocol::Device>&)> plan_cores;
  /// Names of the GPUs that are measured on, "cuda:1"; empty: all.
  std::vector<std::string> wanted_devices;
  std::string isolation_offered = "none";               ///< "none", "standard" or "strict"
  std::string isolation_fixes;                          ///< how to get a stronger level; quoted in refusals
  std::vector<std::string> languages;                   ///< the languages that can be built here
  std::map<std::string, std::string> compiler_missing;  ///< by language: why it cannot be built, and the fix
  double judge_delay = 0.1;  ///< seconds before a dead judge is started again; doubles each time
};

/// What the connection to a judge is made from.
struct JudgeOfDevice {
  std::string name;  ///< "cpu:0", "cuda:1", …
  std::string uuid;  ///< "GPU-…": where the machine has several GPUs, the only one that the judge may see
  int threads = 0;   ///< that it computes with; 0: as many as it likes
};

class Agent {
 public:
  using MakeJudge = std::function<std::unique_ptr<JudgeConnection>(const JudgeOfDevice& device)>;
  using Answer = std::function<void(protocol::FromWorker)>;
  using Log = std::function<void(const std::string& line)>;

  Agent(AgentSettings settings, Builder& builder, MakeJudge make_judge, Answer answer, Log log);
  Agent(const Agent&) = delete;  // its threads hold a pointer to it
  Agent& operator=(const Agent&) = delete;
  ~Agent();  ///< stops the judges and joins all threads; waits for running builds

  /// Starts the CPU's judge, whose description names the machine's devices. Returns the description, with the
  /// GPUs that are measured on and a shortfall for each that cannot be, or why there is no judge. Call it
  /// once, before `run`. Throws BadInput if a GPU is wanted that is not there.
  std::variant<protocol::Described, std::string> boot();
  const std::vector<std::string>& devices() const { return device_names_; }
  /// Returns how the cores are shared out. Call it after `boot`.
  const CorePlan& cores() const { return settings_.cores; }

  /// Passes a message to the agent. May be called from any thread.
  void post(protocol::ToWorker message);
  /// Ends `run` after the events before it. May be called from any thread.
  void end();
  /// Handles events until `end`, on the calling thread.
  void run();

  /// Returns how many requests were posted and have no answer yet. May be called from any thread.
  std::size_t in_flight() const { return in_flight_; }
  /// Accepts no more work and stops the judges; running builds go on. Returns whether every builder has
  /// ended.
  bool wind_down();

 private:
  struct BuildDone {
    std::string build;
    BuildOutcome outcome;
  };
  struct JudgeUp {
    int device = 0;
    protocol::Described described;
  };
  struct JudgeDown {
    int device = 0;
    std::string why;
  };
  struct Answered {
    int device = 0;
    protocol::FromJudge answer;
  };
  struct End {};
  using Event = std::variant<protocol::ToWorker, BuildDone, JudgeUp, JudgeDown, Answered, End>;

  struct Request {
    std::variant<protocol::Evaluate, protocol::CheckTask> message;
    std::chrono::steady_clock::time_point arrived;
    std::string build_key;
    BuildOutcome build;
    std::optional<protocol::FromJudge> judged;
    std::string lost_judge;  ///< how the judge that had the request last died; "" if none did
  };
  struct BuildJob {
    std::string build;
    protocol::Evaluate request;
  };
  struct StartJob {
    double delay = 0;
  };
  /// A build, or the announcement that modules of torch will come.
  using BuilderJob = std::variant<BuildJob, protocol::ExpectModules>;
  using DeviceJob = std::variant<StartJob, protocol::ToJudge>;
  struct Device {
    std::string name;
    std::unique_ptr<JudgeConnection> judge;
    BlockingQueue<DeviceJob> jobs;
    std::thread thread;
    std::string request;   ///< id of the request that it measures; "" if none
    std::string last_end;  ///< how its judge died last; "" if it never did
  };

  Device& add_device(const JudgeOfDevice& judge);
  std::variant<protocol::Described, std::string> first_judge();
  void add_gpus(protocol::Described& described);
  void start_builders();
  void keep_off_reserved_cores();
  /// The loop of a builder thread.
  void build_all();
  /// The loop of a device's thread: passes requests to its judge, one at a time.
  void serve(Device& device, int number);
  bool start_judge(Device& device, int number, double delay);

  void on(protocol::ToWorker message);
  void on(BuildDone done);
  void on(JudgeUp up);
  void on(JudgeDown down);
  void on(Answered answered);
  void on(End) { ended_ = true; }
  void accept(protocol::Evaluate evaluate);
  void accept(protocol::CheckTask check);
  void perform();
  void perform(const StartBuild& start);
  void perform(const StartMeasure& start);
  void perform(const StartPrepare& start);
  void perform(const AnnounceModules& start);
  void perform(const StartJudge& start);
  void perform(const Finish& finish);
  /// Composes the answer to a request that ended.
  protocol::FromWorker final_answer(const std::string& id, Request request, RequestEnd end);
  void send_answer(protocol::FromWorker message);
  std::string last_judge_end(const std::string& backend) const;

  AgentSettings settings_;
  Builder& builder_;
  MakeJudge make_judge_;
  Answer answer_;
  Log log_;
  std::vector<std::string> device_names_;
  std::vector<std::unique_ptr<Device>> devices_;
  bool several_gpus_ = false;  // on this machine, though fewer may be judged on
  std::unique_ptr<Scheduler> scheduler_;
  std::map<std::string, Request> requests_;
  BlockingQueue<Event> events_;
  BlockingQueue<BuilderJob> builds_;
  std::vector<std::thread> builders_;
  std::atomic<int> builders_running_{0};
  std::mutex cores_mutex_;     // guards settings_.cores, which `boot` changes while builders read it
  std::atomic<int> plans_{0};  // how often it was changed
  std::atomic<std::size_t> in_flight_{0};
  bool ended_ = false;
};

}  // namespace ridgeline::agent
