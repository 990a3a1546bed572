// `ridgeline evaluate --batch -` as a trainer meets it that writes everything before it reads anything.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/engine/cli/program.hpp"
#include "tests/places.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr int kPatienceMs = 120'000;  // of a write or read that comes to nothing: that is the failure

/// The program with both its pipes in our hands.
class Trainer {
 public:
  Trainer() {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return;
    ::signal(SIGPIPE, SIG_IGN);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
      ::setenv("RIDGELINE_TASKS", (places::sources() / "benchmark_tasks").c_str(), 1);
      const auto program = (places::programs() / "ridgeline").string();
      ::execl(program.c_str(), program.c_str(), "evaluate", "--batch", "-", "--no-time", nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    output_ = out[0];
    ::fcntl(input_, F_SETFL, O_NONBLOCK);
  }
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;
  ~Trainer() {
    if (input_ >= 0) ::close(input_);
    if (output_ >= 0) ::close(output_);
    if (pid_ > 0 && !ended_) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  /// False where the program takes no more.
  bool write(std::string_view rest) {
    while (!rest.empty()) {
      pollfd room{input_, POLLOUT, 0};
      if (::poll(&room, 1, kPatienceMs) != 1) return false;
      const ssize_t wrote = ::write(input_, rest.data(), rest.size());
      if (wrote > 0) rest.remove_prefix(static_cast<std::size_t>(wrote));
      if (wrote < 0 && errno != EAGAIN && errno != EINTR) return false;
    }
    return true;
  }
  void close_input() { ::close(std::exchange(input_, -1)); }

  /// Its largest resident size so far, MB.
  long megabytes() const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("VmHWM:")) return std::stol(line.substr(6)) / 1024;
    return -1;
  }

  /// Looks meanwhile how large it has become: afterwards it is gone.
  std::string read_all() {
    std::string text;
    char block[65536];
    for (;;) {
      pollfd news{output_, POLLIN, 0};
      if (::poll(&news, 1, kPatienceMs) != 1) return text;
      const ssize_t got = ::read(output_, block, sizeof block);
      if (got <= 0) return text;
      text.append(block, static_cast<std::size_t>(got));
      largest_ = std::max(largest_, megabytes());
    }
  }
  long largest() const { return largest_; }

  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    ended_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_ = -1;
  int input_ = -1, output_ = -1;
  bool ended_ = false;
  long largest_ = 0;
};

std::string good_source() {
  return read_file((places::sources() / "tests/benchmark_tasks/kernels/abs.cpp").string());
}

TEST(BatchDoor, FiftyThousandLinesMayBeWrittenBeforeTheFirstVerdictIsRead) {
  constexpr int lines = 50'000;
  Trainer trainer;
  const auto source = good_source();
  const std::string filler(400, 'x');
  std::string all;
  for (int i = 0; i < lines; ++i) {
    if (i % 25'000 == 7)
      all += json{{"id", "good " + std::to_string(i)}, {"task", "abs"}, {"source", source}}.dump();
    else if (i % 4 == 0)
      all += R"({"id": )" + std::to_string(i) + R"(, "task": "abs", "source": ")" + filler;
    else if (i % 4 == 1)
      all += json{{"id", i}, {"task", "no_such_task"}, {"source", filler}}.dump();
    else if (i % 4 == 2)
      all += json{{"id", i}, {"task", "abs"}, {"sorce", filler}}.dump();
    else
      all += json{{"id", i}, {"task", "abs"}, {"language", "fortran"}, {"source", filler}}.dump();
    all += '\n';
  }
  ASSERT_GT(all.size(), std::size_t{16} << 20) << "more than the door keeps in memory";
  ASSERT_TRUE(trainer.write(all)) << "it waits for somebody to read its verdicts";
  trainer.close_input();
  int verdicts = 0;
  std::map<int, int> errors;  // by the id's remainder
  std::istringstream out(trainer.read_all());
  for (std::string line; std::getline(out, line);) {
    const auto answer = json::parse(line);
    if (answer.contains("error")) {
      const int id = answer.at("id");
      EXPECT_EQ(answer.at("line"), id + 1);
      ++errors[id % 4];
    } else {
      EXPECT_EQ(answer.at("correct"), true) << line;
      ++verdicts;
    }
  }
  EXPECT_EQ(verdicts, 2);
  int counted = 0;
  for (const auto& [kind, count] : errors) counted += count;
  EXPECT_EQ(counted, lines - 2);
  EXPECT_EQ(errors.size(), 4u);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // Input and output together are 40 MB; half of either may wait in memory, and the program itself takes 20.
  EXPECT_GT(trainer.largest(), 10);
  EXPECT_LT(trainer.largest(), 120);
#endif
  EXPECT_EQ(trainer.wait(), 0);
}

TEST(BatchDoor, ReturnsTwoIfAllLinesAreBad) {
  const auto ran =
      ridgeline({"evaluate", "--batch", "-"},
                "nonsense\n{\"id\": 1, \"task\": \"abs\", \"source\": \"x\", \"source\": \"y\"}\n");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("0 verdicts, 2 bad lines"));
  EXPECT_THAT(ran.out, HasSubstr("stands more than once"));
  EXPECT_EQ(ridgeline({"evaluate", "--batch", "-"}, "\n").status, 0) << "nothing was asked";
}

TEST(BatchDoor, ReadsSourcesInFencesAsAnswers) {
  const auto line = [](const char* id, const std::string& source) {
    return json{{"id", id}, {"task", "abs"}, {"source", source}}.dump() + "\n";
  };
  const auto source = good_source();
  const auto ran = ridgeline({"evaluate", "--batch", "-", "--no-time"},
                             line("plain", source) + line("fenced", "```cpp\n" + source + "\n```") +
                                 line("prose", "A loop does it:\n\n```c++\n" + source + "```\nIt is fast.") +
                                 line("comment", "/* as in\n```\nkernel_abs\n```\n*/\n" + source) +
                                 line("empty", "```cpp\n```\n"));
  std::map<std::string, json> answers;
  std::istringstream out(ran.out);
  for (std::string text; std::getline(out, text);) {
    auto answer = json::parse(text);
    const std::string id = answer.at("id");
    answers[id] = std::move(answer);
  }
  for (const auto* id : {"plain", "fenced", "prose"}) {
    EXPECT_EQ(answers.at(id).at("correct"), true) << answers.at(id).dump();
    EXPECT_EQ(answers.at(id).contains("note"), std::string(id) != "plain");
  }
  EXPECT_THAT(answers.at("fenced").at("note").get<std::string>(), HasSubstr("code fences"));
  EXPECT_THAT(answers.at("empty").at("error").get<std::string>(), HasSubstr("no kernel is in it"));
  EXPECT_EQ(ran.status, 0);
}

}  // namespace
}  // namespace ridgeline::cli
