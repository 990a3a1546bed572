// The whole chain with the real programs: pool, ridgeline-worker, g++, ridgeline-judge, ridgeline-runner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>

#include "benchmark_tasks/loader.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/mailbox_evaluator.hpp"
#include "engine/evaluation/process_link.hpp"
#include "engine/evaluation/spawned_worker.hpp"
#include "engine/evaluation/worker_pool.hpp"
#include "tests/engine/evaluation/fake_worker.hpp"

namespace ridgeline::evaluation {
namespace {

using testing::HasSubstr;

const char* const honest = R"(
#include <algorithm>
#include <cmath>
#include <cstdint>
extern "C" void kernel_softmax(const float* x, float* y, int64_t m, int64_t n, void*) {
  for (int64_t i = 0; i < m; ++i) {
    const float* row = x + i * n;
    const float most = *std::max_element(row, row + n);
    double sum = 0;
    for (int64_t j = 0; j < n; ++j) sum += std::exp(double(row[j]) - most);
    for (int64_t j = 0; j < n; ++j) y[i * n + j] = float(std::exp(double(row[j]) - most) / sum);
  }
})";

std::string with_body(const std::string& body) {
  return "#include <cstdint>\n"
         "extern \"C\" void kernel_softmax(const float* x, float* y, int64_t m, int64_t n, void*) {\n" +
         body + "\n}\n";
}

class EndToEnd : public testing::Test {
 protected:
  EndToEnd()
      : task(on_backend(benchmark_tasks::load_task(RIDGELINE_SOURCE_DIR "/benchmark_tasks/Math/softmax.yaml"),
                        "cpu")) {
    settings.isolation = "none";  // at the least: whatever the machine that runs this test offers
    settings.profile = false;
    settings.call_limit_seconds = 2;
  }
  static WorkerCommand command(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--cache", RIDGELINE_BIN_DIR "/../test-builds"});
    return worker_command({}, more);
  }

  boost::asio::io_context io;
  Task task;
  protocol::EvaluateSettings settings;
};

TEST_F(EndToEnd, GivesEachCandidateItsOwnVerdictWhateverTheOthersDo) {
  WorkerPool pool(io, {.requirements = {{"cpp"}, "none"}}, process_links(io, command()), nullptr);
  std::exception_ptr problem;
  bool ready = false;
  pool.start([&](std::exception_ptr told) {
    problem = std::move(told);
    ready = true;
  });
  const std::map<std::string, std::string> sources = {
      {"honest", honest},
      {"no C++", "I would write a kernel here"},
      {"wrong", with_body("for (int64_t i = 0; i < m * n; ++i) y[i] = x[i];")},
      {"crash", with_body("*(volatile int*)nullptr = 1;")},
      {"hang", with_body("for (volatile int64_t i = 0;;) i = i + 1;")},
      {"honest again", std::string(honest) + "// again"}};
  std::map<std::string, Verdict> verdicts;
  for (const auto& [name, source] : sources)
    pool.evaluate({borrowed(task), make_candidate(Language::cpp, source), settings},
                  [&, key = name](Verdict verdict) { verdicts[key] = std::move(verdict); });
  while (verdicts.size() < sources.size() && !problem && io.run_one() > 0) {
  }
  if (problem) std::rethrow_exception(problem);
  ASSERT_TRUE(ready);
  for (const char* name : {"honest", "honest again"}) {
    const auto& verdict = verdicts.at(name);
    EXPECT_TRUE(verdict.correct()) << name << ": " << verdict.build_log << verdict.at(Stage::call).detail
                                   << verdict.at(Stage::correctness).detail;
    EXPECT_FALSE(verdict.compiler.empty());
    EXPECT_FALSE(verdict.isolation.level.empty());
    EXPECT_EQ(verdict.candidate, make_candidate(Language::cpp, sources.at(name)).hash);
  }
  EXPECT_EQ(verdicts.at("no C++").at(Stage::build).reason, Reason::compile_error);
  EXPECT_EQ(verdicts.at("wrong").at(Stage::correctness).reason, Reason::wrong_values);
  EXPECT_EQ(verdicts.at("crash").at(Stage::call).reason, Reason::crashed);
  EXPECT_EQ(verdicts.at("hang").at(Stage::call).reason, Reason::timed_out);
}

TEST_F(EndToEnd, ChecksATaskWithoutACandidate) {
  WorkerPool pool(io, {}, process_links(io, command()), nullptr);
  pool.start([](std::exception_ptr problem) {
    if (problem) std::rethrow_exception(problem);
  });
  std::optional<CheckOutcome> outcome;
  pool.check(borrowed(task), [&](CheckOutcome told) { outcome = std::move(told); });
  while (!outcome && io.run_one() > 0) {
  }
  ASSERT_TRUE(outcome && std::holds_alternative<protocol::Checked>(*outcome));
  const auto& items = std::get<protocol::Checked>(*outcome).items;
  EXPECT_FALSE(items.empty());
  for (const auto& item : items) EXPECT_TRUE(item.passed) << item.name << ": " << item.message;
}

TEST_F(EndToEnd, AnswersAMailboxByAWorkerWithoutALink) {
  const TemporaryFolder folder;
  settings.time = false;
  MailboxEvaluator evaluator(io, {folder.path.string(), 3600, 0.01}, nullptr);
  std::optional<Verdict> verdict;
  evaluator.evaluate({borrowed(task), make_candidate(Language::cpp, honest), settings},
                     [&](Verdict told) { verdict = std::move(told); });
  ASSERT_EQ(evaluator.flush(), 1u);
  auto worker = spawn_worker(command({"--mailbox", folder.path.string()}));
  EXPECT_EQ(posix::describe(worker.process.wait()), "exit status 0");
  while (!verdict && io.run_one() > 0) {
  }
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->at(Stage::correctness).status, Status::passed) << verdict->at(Stage::correctness).detail;
}

}  // namespace
}  // namespace ridgeline::evaluation
