// For tests: the program `ridgeline-worker`, running with a fake judge, and a task for it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "tests/engine/worker/agent/fake_judge.hpp"

namespace ridgeline::agent {

inline Task scale_task() {
  Task task;
  task.name = "scale";
  task.sizes = {"N"};
  Tensor x, y;
  x.name = "x";
  x.shape = {Expression::parse("N")};
  y = x;
  y.name = "y";
  y.role = Role::out;
  task.parameters = {x, y};
  task.cases = {{"small", {{"N", 8}}, true, false, false}};
  task.reference = "def reference(x):\n  return x * 2\n";
  task.hash = hash_of(task);
  return task;
}

/// Kept between runs for its precompiled header; so a source that must be compiled is made unlike any before.
inline const std::string good_source =
    "// " + std::to_string(::getpid()) + " " + std::to_string(std::time(nullptr)) +
    "\n"
    "#include <cstdint>\n"
    "extern \"C\" void kernel_scale(const float* x, float* y, int64_t n, void*) {\n"
    "  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];\n"
    "}\n";

inline protocol::Evaluate request(const std::string& id, const std::string& source) {
  protocol::Evaluate evaluate{id, scale_task(), make_candidate(Language::cpp, source), {}};
  evaluate.settings.isolation = "none";  // whatever the machine that runs this test offers
  return evaluate;
}

/// A running worker and the pipes to it.
class WorkerTest : public testing::Test {
 protected:
  void start(const std::string& how, std::vector<std::string> more = {}) {
    ::signal(SIGPIPE, SIG_IGN);
    int to[2], from[2];
    ASSERT_EQ(::pipe2(to, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(from, O_CLOEXEC), 0);
    std::vector<std::string> words = {RIDGELINE_BIN_DIR "/ridgeline-worker", "--judge",
                                      fake_judge(folder, how), "--cache",
                                      RIDGELINE_BIN_DIR "/../test-builds"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    ::posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    ended = false;
    ASSERT_EQ(::posix_spawn(&pid, words[0].c_str(), &actions, nullptr, pointers.data(), environ), 0)
        << words[0];
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(to[0]);
    ::close(from[1]);
    input.reset(to[1]);
    output.reset(from[0]);
  }
  ~WorkerTest() override {
    if (pid > 0 && !ended) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }

  protocol::FromWorker read() {
    const auto document = protocol::read_frame(output.get());
    if (!document) throw std::runtime_error("the worker has ended");
    return protocol::decode_from_worker(*document);
  }
  void send(const protocol::ToWorker& message) { protocol::send(input.get(), message); }
  protocol::Hello hello() { return std::get<protocol::Hello>(read()); }
  int wait() {
    int status = 0;
    ::waitpid(pid, &status, 0);
    ended = true;  // nothing is left to kill
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  TemporaryFolder folder;
  pid_t pid = -1;
  bool ended = false;
  FileDescriptor input, output;
};

}  // namespace ridgeline::agent
