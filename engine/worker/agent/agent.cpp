#include "engine/worker/agent/agent.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/worker/agent/assemble.hpp"
#include "engine/worker/agent/gpu_choice.hpp"

namespace ridgeline::agent {
namespace {

struct IdOf {
  template <class Message>
  std::string operator()(const Message& message) const {
    return message.id;
  }
  std::string operator()(const protocol::Quit&) const { return ""; }
};

/// Throws ProtocolError if the answer is to another request. A refusal without an id is to this one: the
/// judge could not read the id.
void match_to_request(protocol::FromJudge& answer, const std::string& id) {
  if (auto* failed = std::get_if<protocol::Failed>(&answer); failed != nullptr && failed->id.empty())
    failed->id = id;
  if (std::visit(IdOf{}, answer) != id) throw protocol::ProtocolError("the judge answered another request");
}

}  // namespace

Agent::Agent(AgentSettings settings, Builder& builder, MakeJudge make_judge, Answer answer, Log log)
    : settings_(std::move(settings)),
      builder_(builder),
      make_judge_(std::move(make_judge)),
      answer_(std::move(answer)),
      log_(std::move(log)) {
  start_builders();
}

/// Starts threads until there are as many as the plan says.
void Agent::start_builders() {
  while (static_cast<int>(builders_.size()) < settings_.cores.builders) {
    ++builders_running_;
    builders_.emplace_back([this, first = builders_.empty()] {
      keep_off_reserved_cores();
      // One thread reads the headers ahead, the others can build meanwhile.
      if (first) builder_.warm_up();
      build_all();
      --builders_running_;
    });
  }
}

/// Compilers inherit the affinity and the priority of the builder's thread.
void Agent::keep_off_reserved_cores() {
  const std::lock_guard lock(cores_mutex_);
  become_builder(settings_.cores);
}

Agent::~Agent() {
  // Judges are stopped first, since a device thread may wait for an answer for minutes.
  wind_down();
  for (auto& device : devices_) device->thread.join();
  for (auto& thread : builders_) thread.join();
}

bool Agent::wind_down() {
  builds_.close();
  for (auto& device : devices_) {
    device->jobs.close();
    device->judge->stop();
  }
  return builders_running_ == 0;
}

std::variant<protocol::Described, std::string> Agent::boot() {
  auto judge = first_judge();
  if (auto* described = std::get_if<protocol::Described>(&judge)) add_gpus(*described);
  SchedulerSettings schedule;
  schedule.builders = settings_.cores.builders;
  // Enough that no device waits for a build, yet few enough that artefacts do not pile up behind a slow
  // judge.
  schedule.built_ahead = static_cast<std::size_t>(settings_.cores.builders) + device_names_.size() + 1;
  schedule.first_delay = settings_.judge_delay;
  schedule.prepares = true;
  schedule.devices.clear();
  for (const auto& device : device_names_) schedule.devices.push_back(backend_of_device(device));
  scheduler_ = std::make_unique<Scheduler>(std::move(schedule));
  return judge;
}

std::variant<protocol::Described, std::string> Agent::first_judge() {
  auto& first = add_device({"cpu:0"});
  std::variant<protocol::Described, std::string> judge = std::string("the worker is ending");
  // Two tries: what killed a judge by chance (memory was short for a moment) rarely does so twice, and the
  // engine refuses a worker whose hello has no judge for good.
  for (int tries = 0; tries < 2 && !ended_ && !std::holds_alternative<protocol::Described>(judge); ++tries) {
    first.jobs.push(StartJob{});
    const auto event = events_.pop();  // only this judge, or `end`, can have caused it
    if (event && std::holds_alternative<JudgeUp>(*event)) judge = std::get<JudgeUp>(*event).described;
    if (event && std::holds_alternative<JudgeDown>(*event)) judge = std::get<JudgeDown>(*event).why;
    if (!event || std::holds_alternative<End>(*event)) ended_ = true;
  }
  return judge;
}

/// A judge per GPU. The CPU has its judge already, and only that one describes the machine.
void Agent::add_gpus(protocol::Described& described) {
  const auto gpus = chosen_gpus(described, settings_.wanted_devices);
  several_gpus_ = gpu_count(described) > 1;
  if (settings_.plan_cores) {
    {
      const std::lock_guard lock(cores_mutex_);
      settings_.cores = settings_.plan_cores(gpus);
    }
    ++plans_;
    start_builders();
  }
  for (const auto& gpu : gpus) {
    JudgeOfDevice judge{device_selector(gpu)};
    if (several_gpus_) judge.uuid = gpu.uuid;
    for (const auto& cores : settings_.cores.devices)
      if (cores.device == judge.name) judge.threads = cores.threads;
    add_device(judge);
  }
  std::erase_if(described.devices, [&](const auto& device) {
    return device.backend == "cuda" &&
           std::ranges::none_of(gpus, [&](const auto& gpu) { return gpu.index == device.index; });
  });
}

Agent::Device& Agent::add_device(const JudgeOfDevice& judge) {
  auto& device = *devices_.emplace_back(std::make_unique<Device>());
  device.name = judge.name;
  device.judge = make_judge_(judge);
  device.thread = std::thread(
      [this, &device, number = static_cast<int>(device_names_.size())] { serve(device, number); });
  device_names_.push_back(judge.name);
  return device;
}

void Agent::post(protocol::ToWorker message) {
  if (std::holds_alternative<protocol::Evaluate>(message) ||
      std::holds_alternative<protocol::CheckTask>(message))
    // Counted here and not in `on`, so that a feed sees at once how many it has posted.
    ++in_flight_;
  events_.push(std::move(message));
}

void Agent::end() {
  events_.push(End{});
}

void Agent::run() {
  perform();
  while (!ended_) {
    auto event = events_.pop();
    if (!event) return;
    std::visit([this](auto& content) { on(std::move(content)); }, *event);
    perform();
  }
}

void Agent::build_all() {
  int seen = 0;
  while (auto job = builds_.pop()) {
    if (const int plans = plans_; std::exchange(seen, plans) != plans) keep_off_reserved_cores();
    if (const auto* build = std::get_if<BuildJob>(&*job))
      events_.push(BuildDone{build->build, builder_.build(build->request)});
    else
      builder_.expect_modules();
  }
}

void Agent::serve(Device& device, int number) {
  // Judges and all that they start inherit the thread's cores. The CPU's judge is older than the plan, and
  // bound to none.
  if (number > 0) become_measurer(settings_.cores, device.name);
  // Each device thread has its own state; the scheduler only knows what events tell it.
  bool running = false;
  while (auto job = device.jobs.pop()) {
    if (const auto* start = std::get_if<StartJob>(&*job)) {
      if (!running)
        running = start_judge(device, number, start->delay);
      else
        // `boot` has started the CPU's judge before the scheduler existed, which asks for every judge
        // again.
        events_.push(JudgeUp{number, {}});
      continue;
    }
    const auto& request = std::get<protocol::ToJudge>(*job);
    try {
      auto answer = device.judge->call(request);
      match_to_request(answer, std::visit(IdOf{}, request));
      events_.push(Answered{number, std::move(answer)});
    } catch (const Error& error) {
      running = false;
      events_.push(JudgeDown{number, error.what()});
    }
  }
}

bool Agent::start_judge(Device& device, int number, double delay) {
  // The delay ends at once if the worker ends.
  if (device.jobs.closed_within(std::chrono::duration<double>(delay))) return false;
  try {
    events_.push(JudgeUp{number, device.judge->start()});
    return true;
  } catch (const Error& error) {
    events_.push(JudgeDown{number, error.what()});
    return false;
  }
}

}  // namespace ridgeline::agent
