#include "engine/worker/agent/agent.hpp"

#include <chrono>
#include <utility>

#include "engine/worker/agent/assemble.hpp"

namespace ridgeline::agent {
namespace {

struct IdOf {
  template <class Message>
  std::string operator()(const Message& message) const {
    return message.id;
  }
  std::string operator()(const protocol::Quit&) const { return ""; }
};

/// An answer to this request and no other; a refusal that could not even read the id is to it.
void adopt(protocol::FromJudge& answer, const std::string& id) {
  if (auto* failed = std::get_if<protocol::Failed>(&answer); failed != nullptr && failed->id.empty())
    failed->id = id;
  if (std::visit(IdOf{}, answer) != id) throw protocol::ProtocolError("the judge answered another request");
}

}  // namespace

Agent::Agent(AgentSettings settings, Builder& builder, MakeSeat make_seat, Answer answer, Log log)
    : settings_(std::move(settings)),
      builder_(builder),
      make_seat_(std::move(make_seat)),
      answer_(std::move(answer)),
      log_(std::move(log)) {
  builders_running_ = settings_.cores.builders;
  for (int i = 0; i < settings_.cores.builders; ++i)
    builders_.emplace_back([this, first = i == 0] {
      become_builder(settings_.cores);
      if (first) builder_.warm_up();
      build_all();
      --builders_running_;
    });
}

Agent::~Agent() {
  wind_down();
  for (auto& seat : seats_) seat->thread.join();
  for (auto& thread : builders_) thread.join();
}

bool Agent::wind_down() {
  builds_.close();
  for (auto& seat : seats_) {
    seat->jobs.close();
    seat->seat->stop();
  }
  return builders_running_ == 0;
}

std::variant<protocol::Described, std::string> Agent::boot() {
  auto& first = add_device("cpu:0");
  std::variant<protocol::Described, std::string> told = std::string("the worker is ending");
  // Once more for a judge that died: what killed it by chance (the machine was short of memory) does not
  // twice, and a hello without a judge is refused for good.
  for (int tries = 0; tries < 2 && !ended_ && !std::holds_alternative<protocol::Described>(told); ++tries) {
    first.jobs.push(StartJob{});
    const auto event = events_.pop();  // nothing else is under way yet
    if (event && std::holds_alternative<JudgeUp>(*event)) told = std::get<JudgeUp>(*event).described;
    if (event && std::holds_alternative<JudgeDown>(*event)) told = std::get<JudgeDown>(*event).why;
    if (!event || std::holds_alternative<End>(*event)) ended_ = true;
  }
  if (const auto* described = std::get_if<protocol::Described>(&told))
    for (const auto& device : described->devices)
      if (device.backend == "cuda") add_device("cuda:" + std::to_string(device.index));
  SchedulerSettings schedule;
  schedule.builders = settings_.cores.builders;
  schedule.built_ahead = static_cast<std::size_t>(settings_.cores.builders) + devices_.size() + 1;
  schedule.first_delay = settings_.judge_delay;
  schedule.prepares = true;
  schedule.devices.clear();
  for (const auto& device : devices_) schedule.devices.push_back(backend_of_device(device));
  scheduler_ = std::make_unique<Scheduler>(std::move(schedule));
  return told;
}

Agent::Device& Agent::add_device(const std::string& name) {
  auto& device = *seats_.emplace_back(std::make_unique<Device>());
  device.name = name;
  device.seat = make_seat_(name);
  device.thread =
      std::thread([this, &device, number = static_cast<int>(devices_.size())] { serve(device, number); });
  devices_.push_back(name);
  return device;
}

void Agent::post(protocol::ToWorker message) {
  if (std::holds_alternative<protocol::Evaluate>(message) ||
      std::holds_alternative<protocol::CheckTask>(message))
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
    std::visit([this](auto& one) { on(std::move(one)); }, *event);
    perform();
  }
}

void Agent::build_all() {
  while (auto job = builds_.pop()) {
    if (const auto* one = std::get_if<BuildJob>(&*job))
      events_.push(BuildDone{one->build, builder_.build(one->request)});
    else
      builder_.expect_modules();
  }
}

void Agent::serve(Device& device, int number) {
  bool running = false;
  while (auto job = device.jobs.pop()) {
    if (const auto* start = std::get_if<StartJob>(&*job)) {
      if (!running)
        running = start_judge(device, number, start->delay);
      else
        events_.push(JudgeUp{number, {}});
      continue;
    }
    const auto& request = std::get<protocol::ToJudge>(*job);
    try {
      auto answer = device.seat->ask(request);
      adopt(answer, std::visit(IdOf{}, request));
      events_.push(Answered{number, std::move(answer)});
    } catch (const Error& error) {
      running = false;
      events_.push(JudgeDown{number, error.what()});
    }
  }
}

bool Agent::start_judge(Device& device, int number, double delay) {
  if (device.jobs.closed_within(std::chrono::duration<double>(delay))) return false;
  try {
    events_.push(JudgeUp{number, device.seat->start()});
    return true;
  } catch (const Error& error) {
    events_.push(JudgeDown{number, error.what()});
    return false;
  }
}

}  // namespace ridgeline::agent
