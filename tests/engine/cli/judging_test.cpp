// Commands that start a worker, with the real programs. Isolation "none" is the least accepted: whatever the
// machine that runs this test offers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/engine/cli/program.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

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

const char* const wrong = R"(
#include <cstdint>
extern "C" void kernel_softmax(const float* x, float* y, int64_t m, int64_t n, void*) {
  for (int64_t i = 0; i < m * n; ++i) y[i] = x[i];
})";

ProgramResult evaluate(const std::string& source, const std::vector<std::string>& more) {
  const store::samples::Folder folder;
  write_file(folder.path("kernel.cpp"), source);
  std::vector<std::string> words{"evaluate", "softmax", folder.path("kernel.cpp"), "--isolation", "none"};
  words.insert(words.end(), more.begin(), more.end());
  return ridgeline(words);
}

TEST(Evaluate, ACorrectKernelIsTimedAndPlacedOnTheRoofline) {
  const auto ran = evaluate(honest, {});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  for (const char* word :
       {"softmax on ", ": correct, ", "build", "typical", "wide", "baseline: ", "bandwidth", "isolation: "})
    EXPECT_THAT(ran.out, HasSubstr(word));
}

TEST(Evaluate, AWrongKernelEndsWithOneAndItsMismatch) {
  const auto ran = evaluate(wrong, {"--no-time"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("fails correctness: wrong_values"));
  EXPECT_THAT(ran.out, HasSubstr("expected"));
  EXPECT_THAT(ran.out, Not(HasSubstr("baseline: ")));
}

TEST(Evaluate, JsonIsOneDocumentWithASchema) {
  const auto ran = evaluate("I would write a kernel here", {"--json"});
  EXPECT_EQ(ran.status, 1) << ran.err;
  const auto document = json::parse(ran.out);
  EXPECT_EQ(document.at("schema"), 1);
  EXPECT_EQ(document.at("correct"), false);
  EXPECT_EQ(document.at("reward"), 0);
  EXPECT_EQ(document.at("verdict").at("stages").at("build").at("reason"), "compile_error");
}

TEST(Evaluate, TheBatchDoorAnswersEachLineAndOutlivesBadOnes) {
  const auto line = [](const char* id, const char* source, const char* task = "softmax") {
    return json{{"id", id}, {"task", task}, {"language", "cpp"}, {"source", source}}.dump() + '\n';
  };
  const char* const file = RIDGELINE_SOURCE_DIR "/benchmark_tasks/Math/softmax.yaml";
  const auto ran = ridgeline({"evaluate", "--batch", "-", "--isolation", "none", "--no-time"},
                             line("a", wrong) + "no JSON\n" + line("b", honest) + line("c", honest, file) +
                                 line("d", honest, "no/such/task.yaml"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::map<std::string, bool> correct;
  int errors = 0;
  std::istringstream lines(ran.out);
  for (std::string text; std::getline(lines, text);) {
    const auto answer = json::parse(text);
    if (answer.contains("error"))
      ++errors;
    else
      correct[answer.at("id")] = answer.at("correct");
  }
  EXPECT_EQ(errors, 2);
  EXPECT_THAT(correct, testing::ElementsAre(testing::Pair("a", false), testing::Pair("b", true),
                                            testing::Pair("c", true)));
}

TEST(Evaluate, AnEmptySourceIsTwoAndALauncherThatIsNotThereIsThree) {
  const store::samples::Folder folder;
  write_file(folder.path("kernel.py"), "");
  const auto ran = ridgeline({"evaluate", "softmax", folder.path("kernel.py"), "--language", "torch"});
  EXPECT_EQ(ran.status, 2) << "an empty source is the user's fault";
  write_file(folder.path("kernel.py"), "import torch\n");
  // A launcher without a worker behind it is refused on every machine.
  const auto refused = ridgeline(
      {"evaluate", "softmax", folder.path("kernel.py"), "--launcher", "/no/such/launcher ridgeline-worker"});
  EXPECT_EQ(refused.status, 3) << refused.err;
  const auto at = refused.err.find("/no/such/launcher");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(refused.err.find("/no/such/launcher", at + 1), std::string::npos) << refused.err;
}

TEST(Tasks, CheckProvesATask) {
  const auto ran = ridgeline({"tasks", "check", "softmax"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("ok   softmax: "));
  EXPECT_THAT(ran.out, Not(HasSubstr("FAIL")));
}

TEST(Tasks, CheckRefusesAReferenceThatDoesNotRun) {
  const store::samples::Folder folder;
  auto text = read_file(RIDGELINE_SOURCE_DIR "/benchmark_tasks/Math/softmax.yaml");
  const std::string right = "torch.softmax(x, -1)";
  text.replace(text.find(right), right.size(), "torch.softmax(x, -7)");
  write_file(folder.path("softmax.yaml"), text);
  const auto ran = ridgeline({"tasks", "check", folder.path("softmax.yaml"), "--json"});
  EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
  EXPECT_EQ(json::parse(ran.out).at("passed"), false);
}

TEST(Tasks, ListAndShowReadTheSuite) {
  const auto list = json::parse(ridgeline({"tasks", "list", "--json"}).out);
  EXPECT_GE(list.at("tasks").size(), 20u);
  const auto shown = ridgeline({"tasks", "show", "softmax"});
  EXPECT_EQ(shown.status, 0);
  EXPECT_THAT(shown.out, HasSubstr("kernel_softmax("));
  EXPECT_THAT(shown.out, HasSubstr("torch.softmax(x, -1)"));
  const auto stub = ridgeline({"tasks", "show", "softmax", "--stub", "cpp"});
  EXPECT_THAT(stub.out, testing::StartsWith("extern \"C\" void kernel_softmax(")) << stub.err;
  const auto document =
      nlohmann::json::parse(ridgeline({"tasks", "show", "softmax", "--stub", "cpp", "--json"}).out);
  EXPECT_EQ(document.at("language"), "cpp") << document;
}

TEST(Doctor, SaysWhatTheMachineCanDo) {
  const auto ran = ridgeline({"doctor", "--json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto document = json::parse(ran.out);
  EXPECT_THAT(document.at("worker").at("languages").get<std::vector<std::string>>(),
              testing::Contains("cpp"));
  EXPECT_FALSE(document.at("worker").at("torch").get<std::string>().empty());
  EXPECT_TRUE(document.at("store").contains("usable"));
  const auto& ceilings = document.at("ceilings").at(0);
  EXPECT_GT(ceilings.at("bandwidth"), 1e8) << "bytes a second of a CPU's memory";
  EXPECT_EQ(ceilings.at("levels").back().at("name"), "memory");
}

TEST(Doctor, ShowsTheCeilingsOfTheCpuLevelByLevel) {
  const auto ran = ridgeline({"doctor"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::ContainsRegex("ceiling .*, memory: .*B/s read, .*B/s written"));
  EXPECT_THAT(ran.out, testing::ContainsRegex("ceiling .*, arithmetic: .*op/s fp32"));
}

}  // namespace
}  // namespace ridgeline::cli
