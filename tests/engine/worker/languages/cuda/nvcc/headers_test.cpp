#include "engine/worker/languages/cuda/nvcc/headers.hpp"

#include <gtest/gtest.h>

namespace ridgeline::nvcc {
namespace {

TEST(NvccHeaders, MacrosStandAtTheirPlacesWithoutTheCompilersOwn) {
  EXPECT_EQ(
      macros_of(
          "# 0 \"kernel.cu\"\n# 0 \"<built-in>\"\n#define __STDC__ 1\n"
          "# 0 \"<command-line>\"\n#define __CUDACC__ 1\n"
          "# 1 \"/inc/a.h\" 1 3 4\nint a;\n# 7 \"/inc/a.h\" 3 4\n#define A(x) # x\n#define B 2\n"
          "typedef int t;\n# 1 \"/inc/b.h\" 1\n#undef B\n#pragma push_macro(\"A\")\n#pragma once_more\n"),
      "# 7 \"/inc/a.h\" 3 4\n#define A(x) # x\n#define B 2\n"
      "# 1 \"/inc/b.h\"\n#undef B\n#pragma push_macro(\"A\")\n");
}

TEST(NvccHeaders, TextBeforeTheSource) {
  EXPECT_EQ(before_source("# 0 \"kernel.cu\"\nint x;\n# 0 \"<command-line>\" 2\n# 1 \"kernel.cu\"\n"),
            "# 0 \"kernel.cu\"\nint x;\n# 0 \"<command-line>\" 2\n");
}

TEST(NvccHeaders, CommonHeaderEndsWhereALineNamesItsPlace) {
  const std::string shared = "# 1 \"a.h\"\nint a;\n# 5\nint b;\n";
  EXPECT_EQ(common_header(shared + "# 9 \"kernel.cu\"\nint c;\n", shared + "# 9 \"kernel.cu\"\nint d;\n"),
            shared);
  EXPECT_EQ(common_header(shared + "int c;\n# 2 \"k\"\n", shared + "int d;\n# 2 \"k\"\n"), "")
      << "what begins with a line of no place has none without the header";
  EXPECT_EQ(common_header("", shared), "");
}

TEST(NvccHeaders, SameTextWhateverItsLines) {
  EXPECT_TRUE(same_text("# 1 \"a\"\nint a;\n\n  int b;\n", "int a; \n# 3 \"b\" 2\nint b;\n\n\n"));
  EXPECT_FALSE(same_text("int a;\n", "int b;\n"));
  EXPECT_FALSE(same_text("int a;\n", "int a;\nint b;\n"));
  EXPECT_FALSE(same_text("int a;\nint b;", "int a;\n"));
  EXPECT_FALSE(same_text("#pragma once\n", "\n"));
}

}  // namespace
}  // namespace ridgeline::nvcc
