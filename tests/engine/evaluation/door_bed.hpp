// A door with both its ends in a test's hands, and an evaluator that answers when it is told to.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/evaluation/door.hpp"

namespace ridgeline::evaluation::test {

using nlohmann::json;

/// Keeps every request until the test answers it.
class HeldEvaluator : public Evaluator {
 public:
  explicit HeldEvaluator(boost::asio::io_context& io) : io_(io) {}
  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) override {
    ++asked;
    most_held = std::max(most_held, ++held);
    if (at_once) return answer(request, std::move(done));
    waiting.emplace_back(std::move(request), std::move(done));
  }
  void answer_last() {
    auto [request, done] = std::move(waiting.back());
    waiting.pop_back();
    answer(request, std::move(done));
  }

  std::vector<std::pair<EvaluateRequest, std::function<void(Verdict)>>> waiting;
  bool at_once = false;
  int asked = 0, held = 0, most_held = 0;

 private:
  void answer(const EvaluateRequest& request, std::function<void(Verdict)> done) {
    Verdict verdict;
    verdict.candidate = request.candidate.hash;
    for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing})
      verdict.at(stage).status = Status::passed;
    verdict.timing.emplace();
    verdict.timing->speedup = 1.5;
    boost::asio::post(io_, [this, done = std::move(done), verdict] {
      --held;
      done(verdict);
    });
  }
  boost::asio::io_context& io_;
};

class DoorBed : public ::testing::Test {
 protected:
  DoorBed() {
    ::signal(SIGPIPE, SIG_IGN);
    task.name = "softmax";
    EXPECT_EQ(::pipe2(input, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(output, O_CLOEXEC), 0);
  }
  ~DoorBed() override {
    for (const int end : {input[0], input[1], output[0], output[1]})
      if (end >= 0) ::close(end);
  }
  void write(const std::string& text) {
    ASSERT_EQ(::write(input[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close_input() { ::close(std::exchange(input[1], -1)); }
  /// Knows one task of a suite, and makes those of files anew at each call.
  std::shared_ptr<const Task> find(const std::string& name) {
    if (name == "softmax") return borrowed(task);
    if (!name.ends_with(".yaml")) throw BadInput("no task '" + name + "'; did you mean 'softmax'?");
    if (name != "mine.yaml") throw BadInput(name + ": cannot be read");
    auto made = std::make_shared<Task>();
    made->name = "mine";
    return made;
  }
  Door make_door(DoorSettings settings = {}) {
    return Door(
        io, evaluator, [this](const std::string& name) { return find(name); }, settings, input[0], output[1]);
  }
  /// Everything written so far, a document a line.
  std::vector<json> read_all() {
    ::close(std::exchange(output[1], -1));
    std::string text;
    char block[4096];
    for (ssize_t got; (got = ::read(output[0], block, sizeof block)) > 0;)
      text.append(block, static_cast<std::size_t>(got));
    std::vector<json> documents;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) documents.push_back(json::parse(line));
    return documents;
  }
  static std::string request(const std::string& id, const std::string& source = "x") {
    return json{{"id", id}, {"task", "softmax"}, {"language", "cpp"}, {"source", source}}.dump() + "\n";
  }

  boost::asio::io_context io;
  HeldEvaluator evaluator{io};
  Task task;
  int input[2] = {-1, -1}, output[2] = {-1, -1};
};

}  // namespace ridgeline::evaluation::test
