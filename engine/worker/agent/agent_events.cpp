// Handles each event of the agent, and carries out each action of the scheduler.
#include <algorithm>
#include <utility>

#include "engine/worker/agent/agent.hpp"
#include "engine/worker/agent/assemble.hpp"
#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::agent {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void Agent::on(protocol::ToWorker message) {
  if (auto* evaluate = std::get_if<protocol::Evaluate>(&message)) return accept(std::move(*evaluate));
  if (auto* check = std::get_if<protocol::CheckTask>(&message)) return accept(std::move(*check));
  if (const auto* expect = std::get_if<protocol::ExpectModules>(&message)) {
    scheduler_->expect_modules(expect->backend);
    // With three builders or more, one can prepare while the others build. With fewer, a build would wait for
    // it.
    if (settings_.cores.builders > 2) builds_.push(*expect);
    return;
  }
  if (std::holds_alternative<protocol::Quit>(message)) {
    ended_ = true;
    return;
  }
  const auto& id = std::get<protocol::Cancel>(message).id;
  scheduler_->cancel(id);
  for (auto& device : devices_)
    if (device->request == id)
      device->request.clear();  // the id may be used again before the judge has answered
  if (requests_.erase(id) > 0) --in_flight_;
}

void Agent::accept(protocol::Evaluate evaluate) {
  const std::string id = evaluate.id;
  const auto asked = from_name<sandbox::Isolation>(evaluate.settings.isolation);
  const auto offered =
      from_name<sandbox::Isolation>(settings_.isolation_offered).value_or(sandbox::Isolation::none);
  // Levels are compared as enumerators, which are ordered from the weakest to the strongest.
  if (!asked)
    return send_answer(protocol::Failed{
        id, protocol::Failure::bad_request,
        "'" + evaluate.settings.isolation + "' is no isolation level: strict, standard or none"});
  if (*asked > offered)
    return send_answer(protocol::Failed{
        id, protocol::Failure::machine_cannot,
        "isolation '" + evaluate.settings.isolation + "' was asked for, " + host_name() + " offers '" +
            settings_.isolation_offered + "'. " + settings_.isolation_fixes +
            " To accept less, set worker.isolation to '" + settings_.isolation_offered + "'."});
  // The strongest level that the machine offers, since the request names only the weakest one accepted.
  // `none` is a choice, for debugging with tools that the sandbox forbids.
  if (*asked != sandbox::Isolation::none) evaluate.settings.isolation = settings_.isolation_offered;
  const auto& languages = settings_.languages;
  const std::string language(to_string(evaluate.candidate.language));
  if (std::find(languages.begin(), languages.end(), language) == languages.end()) {
    const auto missing = settings_.compiler_missing.find(language);
    const bool compiler = missing != settings_.compiler_missing.end();
    return send_answer(protocol::Evaluated{
        id,
        refused_verdict(evaluate, compiler ? Reason::compiler_missing : Reason::unsupported,
                        compiler ? missing->second : "this worker cannot run '" + language + "' kernels")});
  }
  if (evaluate.settings.torch_compile &&
      answer_form(evaluate.task, evaluate.candidate.language) != Form::module)
    return send_answer(
        protocol::Failed{id, protocol::Failure::bad_request,
                         "torch_compile is for tasks that have a module, in the language torch"});
  // After isolation was raised, which is part of the key.
  const std::string key = build_key(evaluate);
  // One task may be judged on a CPU and on GPUs, and what a CPU's judge learned of it serves no GPU.
  const std::string backend(backend_of(evaluate.task, evaluate.candidate.language));
  if (!scheduler_->submit({id, key, backend, backend + ' ' + evaluate.task.hash}))
    return send_answer(
        protocol::Failed{id, protocol::Failure::bad_request, "the id '" + id + "' is in flight already"});
  requests_[id] = {std::move(evaluate), Clock::now(), key, {}, std::nullopt, ""};
}

void Agent::accept(protocol::CheckTask check) {
  const std::string id = check.id;
  if (!scheduler_->submit({id, "", "cpu"}))
    return send_answer(
        protocol::Failed{id, protocol::Failure::bad_request, "the id '" + id + "' is in flight already"});
  requests_[id] = {std::move(check), Clock::now(), "", {}, std::nullopt, ""};
}

void Agent::on(BuildDone done) {
  for (auto& [id, request] : requests_)
    // All requests that share the build. One that was cancelled meanwhile is not in the map any more.
    if (request.build_key == done.build) request.build = done.outcome;
  scheduler_->build_ended(done.build, done.outcome.built);
}

void Agent::on(JudgeUp up) {
  scheduler_->judge_ready(up.device);
}

void Agent::on(JudgeDown down) {
  auto& device = *devices_[static_cast<std::size_t>(down.device)];
  log_("judge of " + device.name + ": " + down.why);
  // Kept for requests that come after the judge is given up: they are answered with this reason.
  device.last_end = down.why;
  if (const auto request = requests_.find(device.request); request != requests_.end())
    request->second.lost_judge = down.why;
  scheduler_->judge_lost(down.device);
}

void Agent::on(Answered answered) {
  auto& device = *devices_[static_cast<std::size_t>(answered.device)];
  if (const auto request = requests_.find(device.request); request != requests_.end()) {
    // Cards of one kind differ by some percent, so a result says whose it is where there are several.
    if (auto* judged = std::get_if<protocol::Judged>(&answered.answer);
        judged && several_gpus_ && device.name.starts_with("cuda:"))
      judged->verdict.notes.push_back("judged on " + device.name);
    request->second.judged = std::move(answered.answer);
  }
  scheduler_->judge_answered(answered.device);
}

// Actions.

void Agent::perform() {
  for (auto actions = scheduler_->take_actions(); !actions.empty(); actions = scheduler_->take_actions())
    for (const auto& action : actions) std::visit([this](const auto& content) { perform(content); }, action);
}

void Agent::perform(const StartBuild& start) {
  builds_.push(BuildJob{start.build, std::get<protocol::Evaluate>(requests_.at(start.id).message)});
}

void Agent::perform(const StartMeasure& start) {
  auto& device = *devices_[static_cast<std::size_t>(start.device)];
  auto& request = requests_.at(start.id);
  device.request = start.id;
  if (const auto* check = std::get_if<protocol::CheckTask>(&request.message)) {
    device.jobs.push(protocol::ToJudge(*check));
    return;
  }
  const auto& evaluate = std::get<protocol::Evaluate>(request.message);
  device.jobs.push(protocol::ToJudge(protocol::JudgeRequest{start.id, evaluate.task, request.build.artefact,
                                                            evaluate.candidate, evaluate.settings}));
}

void Agent::perform(const StartPrepare& start) {
  const auto& evaluate = std::get<protocol::Evaluate>(requests_.at(start.id).message);
  auto& device = *devices_[static_cast<std::size_t>(start.device)];
  device.request.clear();  // its outcome belongs to no request
  device.jobs.push(
      protocol::ToJudge(protocol::Prepare{start.id, evaluate.task, evaluate.candidate, evaluate.settings}));
}

void Agent::perform(const AnnounceModules& start) {
  auto& device = *devices_[static_cast<std::size_t>(start.device)];
  device.request.clear();
  device.jobs.push(
      protocol::ToJudge(protocol::ExpectModules{"expect_modules", backend_of_device(device.name)}));
}

void Agent::perform(const StartJudge& start) {
  devices_[static_cast<std::size_t>(start.device)]->jobs.push(StartJob{start.delay});
}

void Agent::perform(const Finish& finish) {
  auto node = requests_.extract(finish.id);
  // Empty for a request that was cancelled while its end was on the way.
  if (!node.empty()) send_answer(final_answer(finish.id, std::move(node.mapped()), finish.ending));
}

protocol::FromWorker Agent::final_answer(const std::string& id, Request request, RequestEnd end) {
  // The judge may have refused the request; its own words go to the engine unchanged.
  if (end == RequestEnd::measured) {
    if (auto* failed = std::get_if<protocol::Failed>(&*request.judged)) return std::move(*failed);
    if (auto* checked = std::get_if<protocol::Checked>(&*request.judged)) return std::move(*checked);
  }
  const auto* evaluate = std::get_if<protocol::Evaluate>(&request.message);
  if (evaluate == nullptr)
    return protocol::Failed{id, protocol::Failure::judge_failed,
                            request.lost_judge.empty() ? last_judge_end("cpu") : request.lost_judge};
  const std::string backend(backend_of(evaluate->task, evaluate->candidate.language));
  Verdict verdict;
  auto* judged = request.judged ? std::get_if<protocol::Judged>(&*request.judged) : nullptr;
  if (end == RequestEnd::build_failed)
    verdict = build_failed_verdict(*evaluate, request.build);
  else if (end == RequestEnd::measured && judged != nullptr)
    verdict = with_build(std::move(judged->verdict), *evaluate, request.build);
  // Without a judge that ever died, this machine simply has no such device.
  else if (end == RequestEnd::no_device && last_judge_end(backend).empty())
    verdict = no_device_verdict(*evaluate, request.build);
  else if (request.build.built)
    verdict = judge_failed_verdict(*evaluate, request.build,
                                   request.lost_judge.empty() ? last_judge_end(backend) : request.lost_judge);
  else
    verdict = refused_verdict(*evaluate, Reason::judge_failed, last_judge_end(backend));
  verdict.seconds = std::chrono::duration<double>(Clock::now() - request.arrived).count();
  return protocol::Evaluated{id, std::move(verdict)};
}

void Agent::send_answer(protocol::FromWorker message) {
  --in_flight_;
  answer_(std::move(message));
}

std::string Agent::last_judge_end(const std::string& backend) const {
  for (const auto& device : devices_)
    if (backend_of_device(device->name) == backend && !device->last_end.empty()) return device->last_end;
  return "";
}

}  // namespace ridgeline::agent
