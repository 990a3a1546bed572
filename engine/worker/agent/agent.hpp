// The agent: takes requests, has them built on builder threads and measured on a thread a device, answers.
//
//   Agent agent(settings, builder, make_seat, answer);
//   agent.boot();          // starts the first judge, so that `described` can go into the hello
//   agent.post(request);   // from any thread
//   agent.run();           // on this thread, until `end`
//
// Every decision is the Scheduler's; this carries them out. `answer` is called on the thread of `run`.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
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
  CorePlan cores;
  std::string isolation_offered = "none";               ///< "none", "standard" or "strict"
  std::string isolation_fixes;                          ///< what to do for a stronger one, for refusals
  std::vector<std::string> languages;                   ///< that can be built here
  std::map<std::string, std::string> compiler_missing;  ///< by language: why it is not, and the fix
  double judge_delay = 0.1;  ///< seconds before a judge that died is started again, at first
};

class Agent {
 public:
  /// `device` is "cpu:0", "cuda:1", …
  using MakeSeat = std::function<std::unique_ptr<JudgeSeat>(const std::string& device)>;
  using Answer = std::function<void(protocol::FromWorker)>;
  using Log = std::function<void(const std::string& line)>;

  Agent(AgentSettings settings, Builder& builder, MakeSeat make_seat, Answer answer, Log log);
  Agent(const Agent&) = delete;  // threads know it by address
  Agent& operator=(const Agent&) = delete;
  ~Agent();  ///< ends and joins; a build that runs is waited for

  /// Starts the CPU's judge and, through what it tells, knows the devices. Returns what it told, or why it is
  /// not there. Once, before `run`.
  std::variant<protocol::Described, std::string> boot();
  const std::vector<std::string>& devices() const { return devices_; }

  void post(protocol::ToWorker message);
  void end();
  void run();

  /// Requests posted and not answered yet.
  std::size_t in_flight() const { return in_flight_; }
  /// Takes no more work and stops the judges; builds that run go on. True once every builder has ended.
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
    std::string lost_judge;  ///< how the last judge that had it ended
  };
  struct BuildJob {
    std::string build;
    protocol::Evaluate request;
  };
  struct StartJob {
    double delay = 0;
  };
  /// A build, or none: what modules take is to be started.
  using BuilderJob = std::variant<BuildJob, protocol::ExpectModules>;
  using DeviceJob = std::variant<StartJob, protocol::ToJudge>;
  struct Device {
    std::string name;
    std::unique_ptr<JudgeSeat> seat;
    BlockingQueue<DeviceJob> jobs;
    std::thread thread;
    std::string request;  ///< what it measures
    std::string last_end;
  };

  Device& add_device(const std::string& name);
  void build_all();
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
  void perform(const StartExpecting& start);
  void perform(const StartJudge& start);
  void perform(const Finish& finish);
  protocol::FromWorker concluded(const std::string& id, Request request, RequestEnd end);
  void say(protocol::FromWorker message);
  std::string last_judge_end(const std::string& backend) const;

  AgentSettings settings_;
  Builder& builder_;
  MakeSeat make_seat_;
  Answer answer_;
  Log log_;
  std::vector<std::string> devices_;
  std::vector<std::unique_ptr<Device>> seats_;
  std::unique_ptr<Scheduler> scheduler_;
  std::map<std::string, Request> requests_;
  BlockingQueue<Event> events_;
  BlockingQueue<BuilderJob> builds_;
  std::vector<std::thread> builders_;
  std::atomic<int> builders_running_{0};
  std::atomic<std::size_t> in_flight_{0};
  bool ended_ = false;
};

}  // namespace ridgeline::agent
