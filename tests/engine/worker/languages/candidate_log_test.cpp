// Logs of g++ 12 and nvcc 12 as they come, and what a model is told of them.
#include "engine/worker/languages/candidate_log.hpp"

#include <gmock/gmock.h>

#include "languages_test.hpp"

namespace ridgeline::languages {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string open_source =
    "#include <cstdint>\n\nextern \"C\" void kernel_scaled_sum(const float* a) {\n  if (a) {\n  }\n\n";

TEST(CandidateLog, AnOpenBraceIsReportedWhereTheSourceEnds) {
  const std::string log =
      "signature_check: In function 'void kernel_scaled_sum(const float*)':\n"
      "signature_check:3:1: error: 'namespace' definition is not allowed here\n"
      "signature_check:12:15: error: 'ridgeline_signature' has not been declared\n"
      "signature_check:14:131: error: expected '}' at end of input\n"
      "kernel.cpp:3:51: note: to match this '{'\n"
      "    3 | extern \"C\" void kernel_scaled_sum(const float* a) {\n"
      "      |                                                  ^\n";
  EXPECT_EQ(of_candidate(log, scaled_sum(), Language::cpp, open_source),
            "kernel.cpp:5: error: the file ends inside an open brace: the '{' of line 3 is never closed\n"
            "    5 |   }\n"
            "kernel.cpp:3:51: note: it is opened here\n"
            "    3 | extern \"C\" void kernel_scaled_sum(const float* a) {\n");
}

TEST(CandidateLog, MapsNvccsMessagesToo) {
  const std::string log =
      "signature_check(3): error: this declaration may not have extern \"C\" linkage\n"
      "  namespace ridgeline_signature {\n  ^\n\n"
      "At end of source: error: expected a \"}\"\n"
      "kernel.cu(3): note #3196-D: to match this \"{\"\n\n"
      "2 errors detected in the compilation of \"kernel.cu\".\n";
  const auto told = of_candidate(log, scaled_sum(), Language::cuda, open_source);
  EXPECT_THAT(told, HasSubstr("kernel.cu:5: error: the file ends inside an open brace: the '{' of line 3"));
  EXPECT_THAT(told, Not(HasSubstr("signature")));
  EXPECT_THAT(told, Not(HasSubstr("At end of source")));
}

TEST(CandidateLog, KeepsWhatTheCheckIsFor) {
  const std::string source = "extern \"C\" void kernel_scaled_sum(int) {}\n";
  const std::string signature =
      "signature_check:12:52: error: static assertion failed: kernel_scaled_sum must have the signature of "
      "the "
      "stub: void kernel_scaled_sum(const float*)\n";
  EXPECT_EQ(of_candidate(signature, scaled_sum(), Language::cpp, source), signature);
  const std::string missing = "signature_check:12:44: error: '::kernel_scaled_sum' has not been declared\n";
  EXPECT_EQ(of_candidate(missing, scaled_sum(), Language::cpp, source), missing);
  const std::string own = "kernel.cpp:1:3: error: 'x' was not declared in this scope\n";
  EXPECT_EQ(of_candidate(own + signature, scaled_sum(), Language::cpp, source), own + signature);
}

TEST(CandidateLog, AnEntryPointThatIsNotSeenBehindAnOpenBraceIsNoOther) {
  const std::string log =
      "signature_check:12:44: error: '::kernel_scaled_sum' has not been declared; did you mean "
      "'a::kernel_scaled_sum'?\n"
      "kernel.cpp:2:17: note: 'a::kernel_scaled_sum' declared here\n"
      "signature_check:14:131: error: expected '}' at end of input\n"
      "kernel.cpp:1:13: note: to match this '{'\n";
  const auto told = of_candidate(log, scaled_sum(), Language::cpp,
                                 "namespace a {\nextern \"C\" void kernel_scaled_sum(int) {}\n");
  EXPECT_THAT(told, HasSubstr("kernel.cpp:2: error: the file ends inside an open brace: the '{' of line 1"));
  EXPECT_THAT(told, Not(HasSubstr("declared")));
}

TEST(CandidateLog, ConsequencesGoWhereTheSourceHasErrorsOfItsOwn) {
  const std::string own =
      "kernel.cpp:2:17: error: missing terminating \" character\n    2 | const char* t = \"never;\n";
  const std::string log = own +
                          "signature_check:3:1: error: expected primary-expression before 'namespace'\n"
                          "signature_check:12:44: error: '::kernel_scaled_sum' has not been declared\n";
  EXPECT_EQ(of_candidate(log, scaled_sum(), Language::cpp, "int n;\nconst char* t = \"never;\n"), own);
}

TEST(CandidateLog, ReportsAnUnfinishedStatementAtTheLastLineWithoutTheWordThatFollows) {
  const std::string source = "int n = 3\n\n";
  EXPECT_EQ(of_candidate("signature_check:3:1: error: expected ',' or ';' before 'namespace'\n", scaled_sum(),
                         Language::cpp, source),
            "kernel.cpp:1: error: expected ',' or ';' at the end of the file\n    1 | int n = 3\n");
  const auto at_home = of_candidate(
      "kernel.cpp:1:10: error: expected ';' before 'namespace'\n    1 | int n = 3\n      |          ^\n"
      "signature_check:3:1: error: expected unqualified-id before 'namespace'\n",
      scaled_sum(), Language::cpp, source);
  EXPECT_EQ(
      at_home,
      "kernel.cpp:1:10: error: expected ';' at the end of the file\n    1 | int n = 3\n      |          ^\n");
}

TEST(CandidateLog, LinesBeyondTheSourcesLastAreTheChecks) {
  const auto told = of_candidate(
      "kernel.cpp:22:165: error: expected ',' or ';' before ')' token\n   22 | static_assert(…)\n",
      scaled_sum(), Language::cpp, "const char* t = R\"(never\nvoid f() {}\n");
  EXPECT_THAT(told, HasSubstr("kernel.cpp:2: error: the file ends inside a raw string: the R\"( of line 1"));
  EXPECT_THAT(told, Not(HasSubstr("static_assert")));
}

TEST(CandidateLog, AHeaderThatTheCheckIncludesIsTheChecks) {
  const auto told = of_candidate(
      "In file included from signature_check:2:\n"
      "/usr/include/x86_64-linux-gnu/bits/types.h:155:3: error: expected unqualified-id before '{' token\n",
      scaled_sum(), Language::cpp, "struct S\n");
  EXPECT_EQ(told, "kernel.cpp:1: error: expected unqualified-id before '{' token\n    1 | struct S\n");
}

TEST(CandidateLog, KeepsLinesThatAreNoMessages) {
  const std::string log =
      "g++: internal compiler error: Killed (program cc1plus)\nPlease submit a bug report.\n";
  EXPECT_EQ(of_candidate(log, scaled_sum(), Language::cpp, open_source), log);
  EXPECT_EQ(of_candidate("", scaled_sum(), Language::cpp, ""), "");
  const std::string hostile(100'000, 'x');
  EXPECT_EQ(of_candidate(hostile, scaled_sum(), Language::cpp, open_source), hostile);
}

}  // namespace
}  // namespace ridgeline::languages
