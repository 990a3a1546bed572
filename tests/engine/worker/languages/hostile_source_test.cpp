// Sources that attack the build: the host's files, and the compiler's time, memory and disk.
#include <fstream>

#include "languages_test.hpp"

namespace ridgeline::languages {
namespace {

/// A compiler with little room, so that the limits are met quickly.
BuildResult confined_build(const Compiler& ample, const std::filesystem::path& cache,
                           sandbox::Isolation isolation, const std::string& source) {
  BuildSettings settings{cache, isolation};
  settings.limits.cpu_seconds = 2;
  settings.limits.address_space = 512u << 20;
  settings.limits.file_size = 16u << 20;
  settings.limits.output = 1u << 20;
  return Compiler{ample.toolchain(), settings}.build(scaled_sum(), make_candidate(Language::cpp, source),
                                                     {"-std=gnu++20", "-O0"});
}

class HostileSource : public Languages {
 protected:
  static void SetUpTestSuite() {
    Languages::SetUpTestSuite();
    if (isolation_ == sandbox::Isolation::none) GTEST_SKIP() << "this machine confines nothing";
  }
  BuildResult squeezed(const std::string& source) const {
    return confined_build(*compiler_, folder_ / "cache", isolation_, source);
  }
  /// Each level that this machine offers gets its turn.
  void expect_refused_at_every_level(const std::string& source, const std::string& secret) const {
    for (auto level = sandbox::Isolation::standard; level <= isolation_;
         level = sandbox::Isolation{static_cast<int>(level) + 1}) {
      const auto failure = bad(confined_build(*compiler_, folder_ / "cache", level, source));
      EXPECT_EQ(failure.reason, Reason::compile_error) << to_string(level) << failure.log;
      EXPECT_EQ(failure.log.find(secret), std::string::npos) << "the log tells: " << failure.log;
    }
  }
};

TEST_F(HostileSource, FilesOfTheHostCannotBeIncluded) {
  const auto secret = folder_ / "expected_outputs.txt";
  std::ofstream{secret} << "the_secret_value\n";
  expect_refused_at_every_level("#include \"/etc/passwd\"\n" + honest_source(), "root:");
  expect_refused_at_every_level("#include \"" + secret.string() + "\"\n" + honest_source(),
                                "the_secret_value");
  expect_refused_at_every_level(
      "#include \"" RIDGELINE_SOURCE_DIR "/engine/core/task.hpp\"\n" + honest_source(),
      "namespace ridgeline {");
  expect_refused_at_every_level("#include \"../../expected_outputs.txt\"\n" + honest_source(),
                                "the_secret_value");
}

TEST_F(HostileSource, FilesOfTheHostCannotBeAssembledIn) {
  expect_refused_at_every_level(
      "asm(\".section .rodata\\n.incbin \\\"/etc/passwd\\\"\\n.text\");\n" + honest_source(), "root:");
}

TEST_F(HostileSource, OtherCandidatesCannotBeIncluded) {
  std::filesystem::create_directories(folder_ / "cache/scratch-other");
  std::ofstream{folder_ / "cache/scratch-other/kernel.cpp"} << "#error another_solution\n";
  expect_refused_at_every_level("#include \"../scratch-other/kernel.cpp\"\n" + honest_source(),
                                "another_solution");
  std::filesystem::remove_all(folder_ / "cache/scratch-other");
}

TEST_F(HostileSource, InfiniteTemplateRecursionIsACompileError) {
  expect_reason(
      squeezed("template <int N> struct F { static constexpr int v = F<N + 1>::v; };\nint x = F<0>::v;\n" +
               honest_source()),
      Reason::compile_error);
}

TEST_F(HostileSource, EndlessConstantEvaluationIsACompileError) {
  expect_reason(
      squeezed("constexpr int f() { int i = 0; while (true) ++i; return i; }\nconstexpr int x = f();\n" +
               honest_source()),
      Reason::compile_error);
}

TEST_F(HostileSource, ExponentialCompileTimeMeetsTheTimeLimit) {
  std::string source;
  // Each level evaluates the one below a thousand times; no single loop or recursion is long.
  for (int level = 1; level < 9; ++level)
    source += "constexpr long f" + std::to_string(level) +
              "(long x) { for (int i = 0; i < 1000; ++i) x += f" + std::to_string(level - 1) +
              "(x + i); return x; }\n";
  const auto failure = bad(squeezed("constexpr long f0(long x) { return x & 1; }\n" + source +
                                    "enum { kValue = f8(1) & 1 };\n" + honest_source()));
  // g++ counts operations as well, and which of the two bounds comes first depends on the machine.
  EXPECT_TRUE(failure.reason == Reason::build_timeout || failure.log.find("constexpr") != std::string::npos)
      << failure.log;
}

TEST_F(HostileSource, TemplateExplosionMeetsALimit) {
  const auto failure = bad(
      squeezed("template <int N, long M> struct F { static constexpr long v = F<N - 1, 2 * M>::v + F<N - 1, "
               "2 * M + 1>::v; };\n"
               "template <long M> struct F<0, M> { static constexpr long v = M; };\nlong x = F<40, 1>::v;\n" +
               honest_source()));
  EXPECT_TRUE(failure.reason == Reason::build_timeout || failure.reason == Reason::build_limits)
      << to_string(failure.reason) << failure.log;
}

TEST_F(HostileSource, HugeObjectMeetsTheFileLimit) {
  expect_reason(squeezed("asm(\".data\\n.fill 64000000, 1, 7\\n.text\");\n" + honest_source()),
                Reason::build_limits);
}

TEST_F(HostileSource, EndlessDiagnosticsAreBounded) {
  std::string source = "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n";
  for (int i = 0; i < 200; ++i) source += "B(;int undeclared = nothing_" + std::to_string(i) + ";)\n";
  const auto failure = bad(squeezed(source + honest_source()));
  EXPECT_LE(failure.log.size(), default_build_limits().kept_output);
}

TEST_F(HostileSource, LeavesNoScratchBehind) {
  EXPECT_TRUE(std::holds_alternative<BuildFailure>(squeezed("#error no\n")));
  EXPECT_EQ(scratch_folders(), 0u);
}

}  // namespace
}  // namespace ridgeline::languages
