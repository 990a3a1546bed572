#include "tests/engine/worker/judge/testcase.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "benchmark_tasks/loader.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/linear_module.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

namespace fs = std::filesystem;

/// The languages that have a folder of testcases in this form, by the end of a file's name.
Language language_of(const fs::path& file) {
  if (file.extension() == ".py") return Language::torch;
  return file.extension() == ".cu" ? Language::cuda : Language::cpp;
}

std::string header(const std::string& source, const std::string& key, const std::string& comment) {
  const auto mark = comment + " " + key + ": ";
  const auto at = source.find(mark);
  if (at == std::string::npos) return {};
  const auto begin = at + mark.size();
  return source.substr(begin, source.find('\n', begin) - begin);
}

std::set<std::string> alternatives(const std::string& text) {
  std::set<std::string> all;
  std::stringstream words(text);
  for (std::string one; std::getline(words, one, '|');) {
    one.erase(0, one.find_first_not_of(' '));
    one.erase(one.find_last_not_of(' ') + 1);
    all.insert(one);
  }
  return all;
}

std::optional<Testcase::AtMost> at_most(const std::string& text, const fs::path& folder) {
  if (text.empty()) return std::nullopt;
  Testcase::AtMost limit;
  std::string file;
  if (!(std::stringstream(text) >> limit.factor >> file))
    throw std::runtime_error("'// at most: " + text + "' is not a factor and a file");
  limit.file = folder / file;
  return limit;
}

}  // namespace

void PrintTo(const Testcase& testcase, std::ostream* out) {
  *out << testcase.name;
}

Testcase read_testcase(const fs::path& file) {
  const auto language = language_of(file);
  const bool module = language == Language::torch;
  const std::string comment = module ? "#" : "//";
  auto source = read_text(file);
  std::stringstream with(header(source, "with", comment));
  std::string before;
  for (std::string included; with >> included;) before += read_text(file.parent_path() / included);
  source = before + source;
  const auto task = header(source, "task", comment);
  const auto root = file.parent_path().parent_path();  // above honest/, wrong/, …
  Testcase testcase;
  testcase.name = file.stem().string();
  testcase.folder = file.parent_path().filename().string();
  testcase.expected = alternatives(header(source, "expect", comment));
  testcase.cheated = header(source, "cheated", comment);
  testcase.honest = testcase.folder == "honest";
  testcase.at_most = at_most(header(source, "at most", comment), root);
  if (module && testcase.honest) testcase.expected = {"passed"};
  if ((task.empty() && !module) || testcase.expected.empty())
    throw std::runtime_error(file.string() + " lacks '" + comment + " task:' or '" + comment + " expect:'");
  testcase.task = module ? linear_task()
                         : on_backend(benchmark_tasks::load_task(root / "tasks" / (task + ".yaml")),
                                      traits(language).backends.front());
  testcase.candidate = make_candidate(language, std::move(source));
  return testcase;
}

std::vector<Testcase> testcases(Language language) {
  auto folder = places::sources() / "tests/testcases";
  if (language == Language::torch) folder /= "modules";  // other folders hold kernels in Triton
  std::vector<Testcase> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if ((extension == ".cpp" || extension == ".cu" || extension == ".py") &&
        language_of(entry.path()) == language)
      all.push_back(read_testcase(entry.path()));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

std::string outcome_of(const Verdict& verdict) {
  const auto failed = verdict.failed_at();
  if (!failed) return verdict.cheated ? "passed but cheated" : "passed";
  return std::string(to_string(*failed)) + " " + std::string(to_string(verdict.at(*failed).reason));
}

void expect_verdict(const Testcase& testcase, const Verdict& verdict) {
  EXPECT_TRUE(testcase.expected.contains(outcome_of(verdict)))
      << testcase.name << ": " << outcome_of(verdict)
      << fmt::format(", expected {}\n", fmt::join(testcase.expected, " | ")) << shown(verdict);
  if (testcase.honest) {
    EXPECT_TRUE(verdict.suspicions().empty()) << testcase.name << "\n" << shown(verdict);
  }
  if (testcase.cheated.empty()) return;
  EXPECT_EQ(verdict.cheated, testcase.cheated == "yes") << testcase.name << "\n" << shown(verdict);
}

}  // namespace ridgeline::judge
