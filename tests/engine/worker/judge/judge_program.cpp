#include "tests/engine/worker/judge/judge_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "benchmark_tasks/loader.hpp"
#include "engine/core/codec.hpp"
#include "tests/engine/worker/judge/builds.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {

JudgeProgram::JudgeProgram(const std::string& device, const std::string& python) {
  ::signal(SIGPIPE, SIG_IGN);
  int request[2], answer[2];
  if (::pipe2(request, O_CLOEXEC) != 0 || ::pipe2(answer, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  const auto program = places::programs() / "ridgeline-judge";
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(request[0], STDIN_FILENO);
    ::dup2(answer[1], STDOUT_FILENO);
    ::execl(program.c_str(), program.c_str(), "--device", device.c_str(), "--python", python.c_str(),
            nullptr);
    ::_exit(127);
  }
  ::close(request[0]);
  ::close(answer[1]);
  to_ = request[1];
  from_ = answer[0];
}

JudgeProgram::~JudgeProgram() {
  if (pid_ > 0) quit();
}

protocol::FromJudge JudgeProgram::ask(const protocol::ToJudge& request) {
  protocol::send(to_, request);
  pollfd ready{from_, POLLIN, 0};
  if (::poll(&ready, 1, 600'000) == 0) throw std::runtime_error("the judge does not answer");
  const auto document = protocol::read_frame(from_);
  if (!document) throw std::runtime_error("the judge ended without an answer");
  return protocol::decode_from_judge(*document);
}

int JudgeProgram::quit() {
  ::close(to_);
  ::close(from_);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void JudgeProgram::kill() {
  ::kill(pid_, SIGKILL);
  quit();
}

Verdict judge_candidate(JudgeProgram& judge, const Task& task, const Candidate& candidate,
                        protocol::EvaluateSettings settings) {
  const auto built = build(task, candidate);
  if (const auto* failure = std::get_if<languages::BuildFailure>(&built)) {
    Verdict verdict;
    verdict.at(Stage::build) = {Status::failed, failure->reason, failure->detail, 0};
    verdict.build_log = failure->log;
    return verdict;
  }
  const auto& library = std::get<languages::BuildArtefact>(built).library;
  const auto answer =
      judge.ask(protocol::JudgeRequest{"1", task, library.string(), candidate, std::move(settings)});
  if (const auto* failed = std::get_if<protocol::Failed>(&answer)) throw std::runtime_error(failed->message);
  auto verdict = std::get<protocol::Judged>(answer).verdict;
  verdict.at(Stage::build).status = Status::passed;
  return verdict;
}

Verdict judge_source(JudgeProgram& judge, const Task& task, const std::string& source,
                     protocol::EvaluateSettings settings) {
  return judge_candidate(judge, task, make_candidate(Language::cpp, source), std::move(settings));
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return text.str();
}

Task testcase_task(const std::string& name) {
  return benchmark_tasks::load_task(places::sources() / "tests/testcases/tasks" / (name + ".yaml"));
}

std::string shown(const Verdict& verdict) {
  std::string line;
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing, Stage::profile}) {
    const auto& at = verdict.at(stage);
    line += fmt::format("{} {} {} ({:.0f} ms) {}\n", to_string(stage), to_string(at.status),
                        to_string(at.reason), at.seconds * 1e3, at.detail);
  }
  line += fmt::format("cheated {}, run to run {}, faithful {}, {:.0f} ms\n", verdict.cheated,
                      verdict.run_to_run_differences, verdict.faithful_correct, verdict.seconds * 1e3);
  for (const auto& flag : verdict.flags) line += "flag " + flag + "\n";
  for (const auto& note : verdict.notes) line += "note " + note + "\n";
  if (const auto& failure = verdict.call_failure)
    line += fmt::format("{} {} {} | {} | {}\n", failure->case_name, failure->signal_name, failure->place,
                        failure->address, failure->output);
  for (const auto& mismatch : verdict.mismatches)
    line += fmt::format("{} {} {} of {} wrong, {} {}\n", mismatch.case_name, mismatch.output, mismatch.wrong,
                        mismatch.elements, to_string(mismatch.pattern), mismatch.pattern_detail);
  if (verdict.timing)
    for (const auto& one : verdict.timing->cases)
      line += fmt::format(
          "{}: cold {:.2f} [{:.2f}, {:.2f}] µs ({} samples), hot {:.2f}, baseline {:.2f} [{:.2f}, {:.2f}], "
          "claimed "
          "{:.2f}, cpu {:.2f}, speed-up {:.2f} [{:.2f}, {:.2f}], drift {:.2f}, verified {}\n",
          one.case_name, one.cold.median * 1e6, one.cold.low * 1e6, one.cold.high * 1e6,
          one.cold.samples.size(), one.hot.median * 1e6, one.baseline_cold.median * 1e6,
          one.baseline_cold.low * 1e6, one.baseline_cold.high * 1e6, one.claimed * 1e6, one.cpu_seconds * 1e6,
          one.speedup, one.speedup_low, one.speedup_high, one.baseline_drift, one.slots_verified);
  return line;
}

}  // namespace ridgeline::judge
