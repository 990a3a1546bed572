#include "engine/worker/agent/assemble.hpp"

namespace ridgeline::agent {
namespace {

void name_subjects(Verdict& verdict, const protocol::Evaluate& request) {
  verdict.task = request.task.hash;
  verdict.posed = posed_text(request.task);
  verdict.candidate = request.candidate.hash;
}

}  // namespace

std::string build_key(const protocol::Evaluate& request) {
  std::string flags;
  // Separated by NUL, so that {"-O1 -g"} and {"-O1", "-g"} differ.
  for (const auto& flag : request.settings.build_flags) flags += flag + '\0';
  return sha256_of(
      {request.task.hash, request.candidate.hash, request.settings.isolation, flags,
       request.settings.torch_headers ? "torch's headers" : "slim headers",
       request.settings.torch_compile ? to_string(*request.settings.torch_compile) : "as it is"});
}

std::string backend_of_device(const std::string& device) {
  return device.substr(0, device.find(':'));
}

Verdict with_build(Verdict verdict, const protocol::Evaluate& request, const BuildOutcome& build) {
  name_subjects(verdict, request);
  // The judge does not know the build; it reports from the stage `call` on.
  verdict.at(Stage::build) = build.built
                                 ? StageResult{Status::passed, Reason::none, build.detail, build.seconds}
                                 : StageResult{build.status, build.reason, build.detail, build.seconds};
  verdict.build_log = build.log;
  verdict.build_flags = build.flags;
  verdict.compiler = build.compiler;
  verdict.resources = build.resources;
  // Without a judge, the level of the build is all that is known.
  if (verdict.isolation.level.empty()) verdict.isolation.level = request.settings.isolation;
  return verdict;
}

Verdict build_failed_verdict(const protocol::Evaluate& request, const BuildOutcome& build) {
  return with_build({}, request, build);
}

Verdict judge_failed_verdict(const protocol::Evaluate& request, const BuildOutcome& build,
                             const std::string& why) {
  auto verdict = with_build({}, request, build);
  verdict.at(Stage::call) = {Status::unavailable, Reason::judge_failed, why, 0};
  return verdict;
}

Verdict no_device_verdict(const protocol::Evaluate& request, const BuildOutcome& build) {
  auto verdict = with_build({}, request, build);
  const bool cuda = backend_of(request.task, request.candidate.language) == "cuda";
  verdict.at(Stage::call) = {Status::unavailable, Reason::unsupported,
                             cuda ? "no CUDA device here" : "no CPU device here", 0};
  return verdict;
}

Verdict refused_verdict(const protocol::Evaluate& request, Reason reason, const std::string& why) {
  Verdict verdict;
  name_subjects(verdict, request);
  verdict.at(Stage::build) = {Status::unavailable, reason, why, 0};
  return verdict;
}

}  // namespace ridgeline::agent
