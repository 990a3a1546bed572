// Tests what a source leaves open, read from its text alone.
#include "engine/worker/languages/open_end.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ridgeline::languages {
namespace {

using What = OpenEnd::What;

/// "brace 3:7"; "closed" where nothing is open.
std::string open_in(std::string_view source) {
  const auto found = open_at_end(source);
  if (!found) return "closed";
  constexpr const char* names[] = {"brace", "parenthesis", "bracket", "comment", "raw string", "conditional"};
  return std::string(names[static_cast<int>(found->what)]) + " " + std::to_string(found->line) + ":" +
         std::to_string(found->column);
}

TEST(OpenEnd, NothingIsOpenInAWholeSource) {
  EXPECT_EQ(open_in(""), "closed");
  EXPECT_EQ(open_in("void f(int (*a)[3]) { if (a) { g(); } }\n"), "closed");
  EXPECT_EQ(open_in("}"), "closed") << "too many are another error";
}

TEST(OpenEnd, TheInnermostThatIsNeverClosed) {
  EXPECT_EQ(open_in("namespace a {\nvoid f() {\n}\n"), "brace 1:13");
  EXPECT_EQ(open_in("namespace a {\nvoid f() {\n  g(1,\n"), "parenthesis 3:4");
  EXPECT_EQ(open_in("void f() {\n  for (;;) {\n    g();\n}\n"), "brace 1:10") << "the inner one took its end";
  EXPECT_EQ(open_in("int a[3 = {1};\nvoid f() {}\n"), "bracket 1:6");
  EXPECT_EQ(open_in("void f() { g(1; }\n"), "closed") << "what is forgotten within ends with it";
}

TEST(OpenEnd, StringsCommentsAndCharactersAreNoCode) {
  EXPECT_EQ(open_in("const char* a = \"{ \\\" {\"; // {\n/* { \n { */ char c = '{', d = '\\'', e = '\"';\n"),
            "closed");
  EXPECT_EQ(open_in("const char* a = R\"x( { )\" } )x\"; int n = 1'000'000; auto m = 0xA'B;\n"), "closed");
  EXPECT_EQ(open_in("const char* a = \"never closed {\nint n;\n"), "closed") << "a string ends with its line";
  EXPECT_EQ(open_in("// joined by a backslash \\\n {\nint n;\n"), "closed");
  EXPECT_EQ(open_in("int FOOR = 1; f(FOOR\"{\");\n"), "closed") << "no raw string: that is another name";
}

TEST(OpenEnd, CommentsRawStringsAndConditionalsGoToTheEnd) {
  EXPECT_EQ(open_in("int n;\n  /* {\n"), "comment 2:3");
  EXPECT_EQ(open_in("auto a = u8R\"sql(\nselect {\n)\";\n"), "raw string 1:13");
  EXPECT_EQ(open_in("int n;\n#ifdef A\nvoid f() {\n"), "conditional 2:1");
  EXPECT_EQ(open_in("#if 1\n# if 2\n#endif\n#endif\n"), "closed");
}

TEST(OpenEnd, BranchesMayOpenABraceThatOneCloses) {
  EXPECT_EQ(open_in("#ifdef A\nvoid f() {\n#elif defined B\nvoid g() {\n#else\nvoid h() {\n#endif\n}\n"),
            "closed");
  EXPECT_EQ(open_in("#ifdef A\nvoid f() {\n#else\nvoid h() {\n#endif\n"), "brace 4:10");
  EXPECT_EQ(open_in("#define OPEN {\n#define JOINED {\\\n {\nint n;\n"), "closed")
      << "macros are not looked into";
}

}  // namespace
}  // namespace ridgeline::languages
