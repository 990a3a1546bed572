#include "tests/engine/evaluation/fake_worker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::evaluation {
namespace {

constexpr std::string_view prefix = "fake-worker-";

void print(std::string_view text) {
  if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) ::_exit(1);
}

void say(const protocol::FromWorker& message) {
  protocol::send(STDOUT_FILENO, message);
}

protocol::Evaluated verdict_of(const protocol::Evaluate& request) {
  protocol::Evaluated evaluated{request.id, {}};
  evaluated.verdict.candidate = request.candidate.hash;
  evaluated.verdict.task = request.task.hash;
  evaluated.verdict.at(Stage::build).status = Status::passed;
  evaluated.verdict.device = std::to_string(::getpid());
  for (char** entry = environ; *entry != nullptr; ++entry)
    evaluated.verdict.build_log += std::string(*entry) + "\n";
  return evaluated;
}

protocol::Hello hello_of(const std::string& how) {
  protocol::Hello hello;
  hello.host = "fake";
  hello.window = 4;
  hello.languages = {"cpp"};
  hello.isolation = {"strict", "all of it", {}};
  if (how == "poor") {
    hello.languages.clear();
    hello.isolation = {"none", "nothing", {"standard wants Landlock; fix: a newer kernel"}};
    hello.shortfalls = {"no C++ compiler: install g++"};
  }
  return hello;
}

/// True for the first process that asks.
bool first_of_its_folder() {
  const auto mark = std::filesystem::path(program_invocation_name).parent_path() / "died";
  return ::open(mark.c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0;
}

[[noreturn]] void die() {
  std::fputs("out of memory, says the kernel\n", stderr);
  ::_exit(3);
}

[[noreturn]] void behave(const std::string& how) {
  if (how == "fails" || (how == "fails-once" && first_of_its_folder())) die();
  if (how == "greeting") print("Welcome to node17!\n");
  if (how == "newer") {
    auto document = protocol::encode(protocol::FromWorker(hello_of(how)));
    document["protocol"] = protocol::version + 1;
    protocol::write_frame(STDOUT_FILENO, document);
  } else if (how != "mute") {
    say(hello_of(how));
  }
  std::vector<protocol::Evaluate> kept;
  std::string expected;
  while (const auto document = protocol::read_frame(STDIN_FILENO)) {
    const auto message = protocol::decode_to_worker(*document);
    if (const auto* check = std::get_if<protocol::CheckTask>(&message)) {
      say(protocol::Checked{check->id, {{"null test", true, ""}}});
      continue;
    }
    if (const auto* expect = std::get_if<protocol::ExpectModules>(&message)) {
      expected = "modules on " + expect->backend;
      continue;
    }
    const auto& request = std::get<protocol::Evaluate>(message);
    if (how == "expects") {
      auto told = verdict_of(request);
      told.verdict.compiler = expected;
      say(told);
    }
    if (how == "dies" || (how == "dies-once" && first_of_its_folder())) die();
    if (how == "stalls") continue;
    if (how == "garbage") print("terminate called after throwing an instance\n");
    if (how == "cannot")
      say(protocol::Failed{request.id, protocol::Failure::machine_cannot, "too little isolation"});
    if (how == "swaps") {
      auto swapped = verdict_of(request);
      swapped.verdict.candidate = "another";
      say(swapped);
    }
    if (how == "good" || how == "dies-once" || how == "fails-once") say(verdict_of(request));
    if (how != "backwards") continue;
    kept.push_back(request);
    if (kept.size() < 3) continue;
    for (; !kept.empty(); kept.pop_back()) say(verdict_of(kept.back()));
  }
  ::_exit(0);
}

/// Before main, so that no line of the test framework gets between the frames.
const bool is_no_fake = [] {
  const std::string name = std::filesystem::path(program_invocation_name).filename();
  if (name.starts_with(prefix)) behave(name.substr(prefix.size()));
  return true;
}();

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "ridgeline-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::string fake_worker(const TemporaryFolder& folder, const std::string& how) {
  const auto program = folder.path / (std::string(prefix) + how);
  if (!std::filesystem::exists(program))
    std::filesystem::create_symlink(std::filesystem::read_symlink("/proc/self/exe"), program);
  return is_no_fake ? program.string() : "";
}

}  // namespace ridgeline::evaluation
