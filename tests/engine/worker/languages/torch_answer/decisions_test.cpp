// Tests what is decided between an answer and its modules, without an interpreter or a compiler.
#include <gmock/gmock.h>

#include <limits>

#include "engine/worker/languages/torch_answer/answer_lines.hpp"
#include "engine/worker/languages/torch_answer/answer_modules.hpp"
#include "engine/worker/languages/torch_answer/answer_words.hpp"
#include "engine/worker/languages/torch_answer/torch_builder.hpp"
#include "engine/worker/languages/torch_answer/triton_report.hpp"

namespace ridgeline::torch_answer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

AskedModule asked(const std::string& name) {
  AskedModule one;
  one.key = "key of " + name;
  one.request.name = name;
  return one;
}

Recording recording(std::vector<AskedModule> asked, Recording::End end = Recording::End::done) {
  return {std::move(asked), end, ""};
}

languages::BuildArtefact built(double cpu_seconds = 1) {
  languages::BuildArtefact artefact;
  artefact.cpu_seconds = cpu_seconds;
  return artefact;
}

languages::BuildFailure failure(const std::string& detail, Reason reason = Reason::compile_error) {
  return {reason, detail, detail, {}};
}

/// Modules named "bad…" do not build.
MadeModule make(const AskedModule& one) {
  const auto& name = one.request.name;
  if (name.starts_with("bad")) return {one.key, name, failure(name + " is wrong")};
  return {one.key, name, built()};
}

std::vector<std::string> names(const std::variant<AnswerModules, languages::BuildFailure>& result) {
  std::vector<std::string> names;
  for (const auto& one : std::get<AnswerModules>(result).made) names.push_back(one.name);
  return names;
}

TEST(AnswerModules, AnAnswerWhoseModulesBuildIsRecordedOnce) {
  int recorded = 0;
  const auto record = [&](const FailedModules& failed) {
    ++recorded;
    EXPECT_THAT(failed, IsEmpty());
    return recording({asked("a"), asked("b")});
  };
  EXPECT_THAT(names(make_modules(record, make)), ElementsAre("a", "b"));
  EXPECT_EQ(recorded, 1);
}

TEST(AnswerModules, AnAnswerThatRaisesWithAllItsModulesBuiltIsTheRunnersToJudge) {
  const auto record = [&](const FailedModules&) { return recording({asked("a")}, Recording::End::raised); };
  const auto result = make_modules(record, make);
  EXPECT_THAT(names(result), ElementsAre("a"));
  EXPECT_THAT(note_of(std::get<AnswerModules>(result)), HasSubstr("raised while it was recorded"));
  EXPECT_EQ(note_of({{}, Recording::End::died}),
            "asks for no module; the answer ended while it was recorded");
  EXPECT_EQ(note_of({}), "asks for no module");
}

TEST(AnswerModules, AModuleThatDoesNotBuildFailsTheAnswerUnlessItCatchesThat) {
  bool catches = false;
  const auto record = [&](const FailedModules& failed) {
    if (failed.empty()) return recording({asked("bad"), asked("b")});
    EXPECT_EQ(failed.count("key of bad"), 1u);
    return catches ? recording({asked("bad"), asked("b"), asked("instead")})
                   : recording({asked("bad")}, Recording::End::raised);
  };
  EXPECT_EQ(std::get<languages::BuildFailure>(make_modules(record, make)).detail, "bad is wrong");
  catches = true;
  const auto result = make_modules(record, make);
  EXPECT_THAT(names(result), ElementsAre("bad", "b", "instead"));
  EXPECT_EQ(note_of(std::get<AnswerModules>(result)),
            "3 modules: 2 with slim headers, 1 not built, which the answer goes on without; 2.0 s of CPU");
}

TEST(AnswerModules, WhatWasLeftOutOfAModulesFlagsIsNoted) {
  AnswerModules all;
  languages::BuildArtefact built;
  built.cpu_seconds = 1;
  built.note = "left out -fPIC, which nvcc itself refuses";
  all.made.push_back({"key", "scale", built});
  EXPECT_EQ(note_of(all),
            "1 module: 1 with slim headers; 1.0 s of CPU; scale: left out -fPIC, which nvcc itself refuses");
}

TEST(AnswerModules, EachFailureIsShownToTheAnswerAndTheFirstIsReportedInTheEnd) {
  const auto record = [&](const FailedModules& failed) {  // tries one after the other, then gives up
    std::vector<AskedModule> all{asked("bad 0")};
    for (std::size_t i = 1; i <= failed.size() && i < 3; ++i)
      all.push_back(asked("bad " + std::to_string(i)));
    return recording(all, failed.size() < 3 ? Recording::End::done : Recording::End::raised);
  };
  EXPECT_EQ(std::get<languages::BuildFailure>(make_modules(record, make)).detail, "bad 0 is wrong");
}

TEST(AnswerModules, AnAnswerWithoutEndOfModulesIsLeftAtSomePoint) {
  int number = 0;
  const auto record = [&](const FailedModules&) {
    return recording({asked("bad " + std::to_string(number++))});
  };
  EXPECT_EQ(std::get<languages::BuildFailure>(make_modules(record, make)).detail, "bad 0 is wrong");
  EXPECT_LT(number, 10);
}

TEST(AnswerModules, NoAnswerGoesOnWithoutWhatThisMachineLacks) {
  const auto record = [&](const FailedModules&) { return recording({asked("a")}); };
  const auto lacking = [](const AskedModule& one) {
    return MadeModule{one.key, "a", failure("no nvcc", Reason::compiler_missing)};
  };
  EXPECT_EQ(std::get<languages::BuildFailure>(make_modules(record, lacking)).reason,
            Reason::compiler_missing);
}

TEST(MadeModule, AsksTorchsOwnHeadersOnlyWhereTheSlimOnesDoNotDo) {
  int real = 0;
  HeaderChoice headers;
  headers.real = [&](const torch_extension::ExtensionRequest&) -> languages::BuildResult {
    return ++real, built(60);
  };
  headers.slim = [](const torch_extension::ExtensionRequest&) -> torch_extension::SlimBuild {
    return built();
  };
  EXPECT_FALSE(make_module(asked("a"), headers, "answer.py").real_headers);
  headers.slim = [](const torch_extension::ExtensionRequest&) -> torch_extension::SlimBuild {
    return failure("-fplugin is not allowed");
  };
  EXPECT_EQ(std::get<languages::BuildFailure>(make_module(asked("a"), headers, "answer.py").result).detail,
            "-fplugin is not allowed");
  EXPECT_EQ(real, 0);
  headers.slim = [](const torch_extension::ExtensionRequest&) -> torch_extension::SlimBuild {
    return torch_extension::NotSlim{"no conv2d", "log"};
  };
  const auto made = make_module(asked("a"), headers, "answer.py");
  EXPECT_TRUE(made.real_headers);
  EXPECT_EQ(real, 1);
  EXPECT_EQ(made.slim_error, "no conv2d");
  EXPECT_EQ(build_of(made), torch_slim::Build::torch);
  headers.may_help = [](const torch_extension::NotSlim& narrow) { return narrow.because != "no conv2d"; };
  const auto hopeless = make_module(asked("a"), headers, "answer.py");
  EXPECT_FALSE(hopeless.real_headers);
  EXPECT_EQ(std::get<languages::BuildFailure>(hopeless.result).log, "log");
  EXPECT_EQ(build_of(hopeless), torch_slim::Build::torch_not_used);
  AnswerModules all;
  all.made.push_back(made);
  EXPECT_EQ(note_of(all), "1 module: 1 with torch's own headers; 60.0 s of CPU");
}

TEST(MadeModule, WhereTheyMayNotBeUsedTheSlimBuildsWordsAreTheFailureAndSaySo) {
  HeaderChoice headers;
  headers.slim = [](const torch_extension::ExtensionRequest&) -> torch_extension::SlimBuild {
    return torch_extension::NotSlim{"no conv2d", "the log"};
  };
  headers.why_not_real = "the settings forbid it";
  const auto made = make_module(asked("a"), headers, "answer.py");
  const auto& wrong = std::get<languages::BuildFailure>(made.result);
  EXPECT_EQ(wrong.detail, "no conv2d");
  EXPECT_THAT(wrong.log, HasSubstr("the log"));
  EXPECT_THAT(wrong.log, HasSubstr("the settings forbid it"));
  EXPECT_THAT(error_of(made), HasSubstr("Error building extension 'a': no conv2d"));
}

TEST(AnswerLines, ComplaintsNameTheAnswersOwnLines) {
  auto one = asked("a");
  one.request.cpp_sources = {"int a;\nint b;", "int c;\nint d;"};
  one.request.cuda_sources = {"void k();\nvoid l();"};
  one.cpp_lines = {0, 40};  // the first is composed when the answer runs
  one.cuda_lines = {12};
  const auto told = [&](const std::string& log) { return in_lines_of_answer(log, one, "answer.py"); };
  EXPECT_EQ(told("main.cpp:5:7: error: d\n    5 | int d;\n      | ^\n"),
            "answer.py:41:7: error: d\n   41 | int d;\n      | ^\n");
  EXPECT_EQ(told("main.cpp:3:7: error: b\n    3 | int b;"), "main.cpp:3:7: error: b\n    3 | int b;");
  EXPECT_EQ(told("main.cpp:6:1: error: bindings"), "main.cpp:6:1: error: bindings");
  EXPECT_EQ(told("cuda.cu(5): error: l, see cuda.cu(4)"), "answer.py(13): error: l, see answer.py(12)");
  EXPECT_EQ(told("cuda.cu(2): error: a header"), "cuda.cu(2): error: a header");
  one.request.implicit_headers = false;
  EXPECT_EQ(told("cuda.cu(1): error"), "answer.py(12): error");
  one.request.form = torch_extension::ExtensionRequest::Form::files;
  EXPECT_EQ(told("main.cpp:4:1: error"), "main.cpp:4:1: error");
}

constexpr const char* kLine =
    R"({"key": "k", "request": {"form": "inlined", "name": "n", "cpp_sources": ["a", "b"], "cuda_sources": [],
        "functions": [["f", "doc"]], "cflags": ["-O1"], "cuda_cflags": [], "ldflags": [], "with_cuda": true,
        "error_handling": false, "implicit_headers": true}, "lines": {"cpp_sources": [3, 0], "cuda_sources": []}})";

std::string line(std::string text) {
  std::erase(text, '\n');
  return text + "\n";
}

std::string with_line(const std::string& number) {
  auto text = line(kLine);
  const std::string_view lines = "[3, 0]";
  return text.replace(text.find(lines), lines.size(), "[" + number + "]");
}

TEST(Recording, IsReadLineByLine) {
  const auto read = read_recording(line(kLine) + line(kLine) + line(R"({"end": "raised", "words": "E: x"})"));
  ASSERT_EQ(read.asked.size(), 1u) << "the same request twice is one module";
  const auto& one = read.asked[0];
  EXPECT_EQ(one.request.name, "n");
  EXPECT_THAT(one.request.cpp_sources, ElementsAre("a", "b"));
  EXPECT_THAT(one.cpp_lines, ElementsAre(3, 0));
  EXPECT_TRUE(one.request.has_functions);
  EXPECT_TRUE(one.request.with_cuda);
  EXPECT_FALSE(one.request.error_handling);
  EXPECT_EQ(read.end, Recording::End::raised);
  EXPECT_EQ(read.words, "E: x");
}

TEST(Recording, AnEndThatNeverCameIsADeathAndKeepsWhatWasAsked) {
  for (const std::string& rest : {std::string(), line(R"({"key": 3})"), std::string("{\"end"), line("[]"),
                                  with_line("1e300"), with_line("-3e9")}) {
    const auto read = read_recording(line(kLine) + rest);
    EXPECT_EQ(read.asked.size(), 1u) << rest;
    EXPECT_EQ(read.end, Recording::End::died) << rest;
  }
}

TEST(TorchBuilder, ExecutesOnlyWhatSpeaksOfExtensions) {
  EXPECT_TRUE(speaks_of_extensions("from torch.utils.cpp_extension import load\n"));
  EXPECT_TRUE(speaks_of_extensions("x.load_inline(name='a')"));
  EXPECT_FALSE(speaks_of_extensions("import torch\nclass ModelNew(torch.nn.Module): pass\n"));
}

TEST(TritonReport, IsAComplaintOnALineOrAnEndOfForward) {
  const auto wrong =
      read_triton_report(R"({"end": "complaint", "words": "no x", "log": "at 3:", "line": 7})", "answer.py");
  ASSERT_TRUE(wrong.failure);
  EXPECT_EQ(wrong.failure->detail, "answer.py:7: error: no x");
  EXPECT_EQ(wrong.failure->log, "at 3:\n");
  const auto raised =
      read_triton_report(R"({"end": "raised", "stage": "forward", "words": "E: f"})", "answer.py");
  EXPECT_FALSE(raised.failure);
  EXPECT_EQ(raised.raised, "E: f (at forward)");
  EXPECT_EQ(read_triton_report(R"({"end": "done"})", "answer.py").raised, "");
}

TEST(TritonReport, InventionsOfACandidateAreAnEndTooEarly) {
  for (const char* text :
       {"", "[]", "3", R"({"end": 3})", R"({"end": "complaint"})", R"({"end": "raised", "words": 3})",
        R"({"end": "complaint", "words": "w", "log": "l", "line": "seven"})",
        R"({"end": "complaint", "words": "w", "log": "l", "line": 1e300})"}) {
    const auto report = read_triton_report(text, "answer.py");
    EXPECT_FALSE(report.failure) << text;
    EXPECT_EQ(report.raised, "it ended while its kernels were compiled") << text;
  }
}

TEST(TorchBuilder, KnowsAnImportOfTriton) {
  for (const char* text :
       {"import triton", "import torch\nimport triton.language as tl\n", "import torch, triton\n",
        "from triton import jit", "try:\n    import triton\nexcept ImportError: pass\n",
        "import torch; import triton"})
    EXPECT_TRUE(imports_triton(text)) << text;
  for (const char* text : {"import torch  # and no triton\n", "# import triton\n", "import tritonic\n",
                           "from torch import triton_like\n", "x = 'triton'\n"})
    EXPECT_FALSE(imports_triton(text)) << text;
}

/// Each once took the stack of the worker, a frame or two for each character.
TEST(TorchBuilder, LooksForTritonInSourcesOfAnyLength) {
  const std::string blanks(1'000'000, ' '), word(1'000'000, 'a');
  for (const auto& text :
       {blanks, "import " + word, "import" + blanks + word, "from" + blanks + "triton_like"})
    EXPECT_FALSE(imports_triton(text)) << text.substr(0, 10);
  EXPECT_TRUE(imports_triton(blanks + "import " + word + "," + blanks + "triton"));
}

TEST(AnswerLines, LinesOfAnyLengthKeepTheirPlaces) {
  auto one = asked("a");
  one.request.cpp_sources = {"int a;"};
  one.cpp_lines = {40};
  const std::string code(1'000'000, 'x'), blanks(1'000'000, ' ');
  EXPECT_EQ(in_lines_of_answer("main.cpp:2:1: error: b\n    2 | " + code, one, "answer.py"),
            "answer.py:40:1: error: b\n   40 | " + code);
  EXPECT_EQ(in_lines_of_answer("main.cpp:2:1: error: b\n" + blanks, one, "answer.py"),
            "answer.py:40:1: error: b\n" + blanks);
}

TEST(AnswerLines, AnswersLinesThatNoTextHasNameNoPlace) {
  auto one = asked("a");
  one.request.cpp_sources = {"int a;\nint b;", "int c;"};
  one.cpp_lines = {std::numeric_limits<int>::max(), 7};
  EXPECT_EQ(in_lines_of_answer("main.cpp:3:1: error: b\nmain.cpp:4:1: error: c\n", one, "answer.py"),
            "main.cpp:3:1: error: b\nanswer.py:7:1: error: c\n");
}

}  // namespace
}  // namespace ridgeline::torch_answer
