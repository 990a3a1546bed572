// Real builds of honest and of broken sources.
#include "engine/worker/languages/compiler.hpp"

#include <algorithm>
#include <thread>

#include "languages_test.hpp"

namespace ridgeline::languages {
namespace {

float call_once(Loaded& library, float a, float b, double scale, std::int64_t shift, bool negate) {
  float out = 0;
  EXPECT_EQ(library.call({&a, &b, &out}, {1, 1}, {scale}, {shift, negate}), 0);
  return out;
}

TEST_F(Languages, HonestKernelIsBuiltAndCalledThroughTheTrampoline) {
  const auto artefact = good(build(honest_source()));
  EXPECT_FALSE(artefact.cached);
  EXPECT_GT(artefact.cpu_seconds, 0);
  EXPECT_EQ(artefact.bytes, std::filesystem::file_size(artefact.library));
  Loaded library{artefact};
  EXPECT_EQ(call_once(library, 1, 2, 10, 5, false), 35);
  EXPECT_EQ(call_once(library, 1, 2, 10, 5, true), -25);
  EXPECT_EQ(library.workspace({1, 1}), 0u);
  EXPECT_EQ(scratch_folders(), 0u);
}

TEST_F(Languages, SecondBuildComesOutOfTheCache) {
  const auto first = good(build(honest_source() + "// once\n"));
  const auto second = good(build(honest_source() + "// once\n"));
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.library, first.library);
  EXPECT_FALSE(good(build(honest_source() + "// once\n", scaled_sum(), {"-std=gnu++20", "-O2"})).cached);
}

TEST_F(Languages, WorkspaceIsFoundFromTheSignature) {
  const std::string ask =
      "#include <cstddef>\n#include <cstdint>\n"
      "extern \"C\" size_t kernel_scaled_sum_workspace(int64_t M, int64_t N) { return M * N * 4; }\n";
  const std::string kernel =
      std::string{"extern \"C\" void kernel_scaled_sum"} + kSignature +
      "void* workspace, void*) noexcept {\n  static_cast<float*>(workspace)[0] = 3;\n"
      "  out[0] = static_cast<float*>(workspace)[0];\n  (void)a; (void)b; (void)M; (void)N;\n"
      "  (void)scale; (void)shift; (void)negate;\n}\n";
  Loaded library{good(build(ask + kernel))};
  EXPECT_EQ(library.workspace({5, 3}), 60u);
  float a = 0, b = 0, out = 0, scratch = 0;
  library.call({&a, &b, &out}, {1, 1}, {1}, {0, 0}, &scratch);
  EXPECT_EQ(out, 3);

  const auto failure = bad(build("#include <cstdint>\n" + kernel));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_NE(failure.log.find("size_t kernel_scaled_sum_workspace(int64_t, int64_t)"), std::string::npos)
      << failure.log;
}

TEST_F(Languages, ABraceThatIsNeverClosedIsReportedInTheSourcesOwnLines) {
  const auto whole = honest_source();
  const auto lines = std::count(whole.begin(), whole.end(), '\n');
  const auto next = std::to_string(lines + 1);
  struct Ending {
    std::string source, told;
  };
  const Ending endings[] = {
      {whole.substr(0, whole.rfind('}')), "the file ends inside an open brace: the '{' of line "},
      {"#include <cstdint>\nnamespace a {\n" + whole.substr(whole.find('\n') + 1),
       "kernel.cpp:" + next + ": error: the file ends inside an open brace: the '{' of line 2"},
      {whole + "/* never closed\n", "kernel.cpp:" + next + ":1: error: unterminated comment"},
      {whole + "const char* text = \"never closed;\n",
       "kernel.cpp:" + next + ":20: error: missing terminating"},
      {whole + "const char* text = R\"(never closed;\n",
       "the file ends inside a raw string: the R\"( of line " + next},
      {"#if 1\n" + whole, "kernel.cpp:1: error: unterminated #if"},
      {whole + "int n = 3\n", "kernel.cpp:" + next + ":"},
      {whole + "static_assert(1\n", "kernel.cpp:" + next}};
  for (const auto& [source, told] : endings) {
    const auto failure = bad(build(source));
    EXPECT_EQ(failure.reason, Reason::compile_error) << source;
    EXPECT_NE(failure.detail.find(told), std::string::npos) << failure.detail << "\nwanted: " << told;
    EXPECT_EQ(failure.log.find("ridgeline"), std::string::npos) << failure.log;
    EXPECT_EQ(failure.log.find("signature_check"), std::string::npos) << failure.log;
    EXPECT_EQ(failure.log.find("'namespace'"), std::string::npos) << failure.log;
  }
}

TEST_F(Languages, ABackslashAtTheEndJoinsNothingOfOursToItsLine) {
  const auto failure = bad(build("int n = 3 // the stub's is another \\", scaled_sum()));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_NE(failure.detail.find("kernel.cpp:1: error: expected ',' or ';' at the end of the file"),
            std::string::npos)
      << failure.detail << "\n"
      << failure.log;
}

TEST_F(Languages, NameOfLibcIsNoTrouble) {
  Loaded library{good(build("#include <cstdlib>\n" + honest_source("abs"), scaled_sum("abs")))};
  EXPECT_EQ(call_once(library, 1, 1, 1, 0, false), 2);
}

TEST_F(Languages, EveryTypeOfElementAndATaskWithoutSizes) {
  Task task;
  task.name = "types";
  std::string parameters;
  for (const auto& [dtype, name] : enum_names(DType{})) {
    Tensor tensor;
    tensor.name = "t" + std::to_string(task.parameters.size());
    tensor.dtype = dtype;
    tensor.role = task.parameters.size() % 2 ? Role::inout : Role::in;
    task.parameters.emplace_back(tensor);
  }
  for (const auto& argument : kernel_arguments(task, Language::cpp, false))
    parameters += (parameters.empty() ? "" : ", ") + argument.type;
  Loaded library{
      good(build("#include <cstdint>\nextern \"C\" void kernel_types(" + parameters + ") {}\n", task))};
  EXPECT_EQ(library.workspace({}), 0u);
}

TEST_F(Languages, CompileErrorsNameTheCandidatesLines) {
  const auto failure = bad(build("\n" + honest_source() + "int broken = undeclared_name;\n"));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_TRUE(failure.detail.starts_with("kernel.cpp:8:14: error: ")) << failure.detail;
  EXPECT_EQ(scratch_folders(), 0u);
}

TEST_F(Languages, WrongSignatureIsACompileErrorThatNamesTheRightOne) {
  const auto failure = bad(build("extern \"C\" void kernel_scaled_sum(float* a, int n) {}\n"));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_NE(
      failure.log.find("void kernel_scaled_sum(const float*, const float*, float*, int64_t, int64_t, double, "
                       "int64_t, bool, void*)"),
      std::string::npos)
      << failure.log;
}

TEST_F(Languages, MissingEntryPoint) {
  expect_reason(build("int helper() { return 1; }\n"), Reason::missing_entry_point);
  auto mangled = honest_source();
  mangled.replace(mangled.find("extern \"C\" "), 11, "");
  expect_reason(build(mangled), Reason::missing_entry_point);
  expect_reason(build(""), Reason::missing_entry_point);
}

TEST_F(Languages, UndefinedSymbolsFailTheBuildNotTheCall) {
  auto source = honest_source();
  source.insert(source.find("extern"), "void elsewhere();\n");
  source.insert(source.rfind('}'), "  elsewhere();\n");
  const auto result = build(source);
  expect_reason(result, Reason::compile_error);
  const auto& log = std::get<BuildFailure>(result).log;
  EXPECT_NE(log.find("elsewhere"), std::string::npos) << log;
  EXPECT_EQ(log.find(folder_.string()), std::string::npos) << log;
}

TEST_F(Languages, MacrosOfACandidateDoNotTouchTheTrampoline) {
  Loaded library{good(build(honest_source() + "#define tensors 0\n#define sizes 0\n#define stream 1\n"))};
  EXPECT_EQ(call_once(library, 2, 3, 1, 0, false), 5);
}

TEST_F(Languages, ForbiddenFlagAndUnsupportedLanguage) {
  expect_reason(build(honest_source(), scaled_sum(), {"-fplugin=/tmp/x.so"}), Reason::forbidden_flag);
  expect_reason(compiler_->build(scaled_sum(), make_candidate(Language::cuda, honest_source())),
                Reason::unsupported);
}

TEST_F(Languages, GccIsPreferredAndItsFingerprintStands) {
  const auto gcc = find_toolchain(isolation_, {"g++"});
  const auto again = find_toolchain(isolation_);
  ASSERT_TRUE(gcc && again);
  EXPECT_EQ(gcc->family, Toolchain::Family::gcc);
  EXPECT_EQ(again->program, gcc->program);
  EXPECT_EQ(again->fingerprint, gcc->fingerprint);
}

TEST_F(Languages, ClangBuildsTheSameSource) {
  const auto clang =
      find_toolchain(isolation_, {"clang++", "clang++-20", "clang++-19", "clang++-18", "clang++-17"});
  if (!clang) GTEST_SKIP() << "no clang from 17 on is installed";
  EXPECT_EQ(clang->family, Toolchain::Family::clang);
  Compiler compiler{*clang, BuildSettings{folder_ / "cache", isolation_}};
  const auto candidate = make_candidate(Language::cpp, honest_source());
  Loaded library{good(compiler.build(scaled_sum(), candidate, {"-std=c++20", "-O2"}))};
  EXPECT_EQ(call_once(library, 1, 2, 10, 5, false), 35);
  expect_reason(compiler.build(scaled_sum(), make_candidate(Language::cpp, "int x;\n")),
                Reason::missing_entry_point);
}

TEST_F(Languages, NoCompilerIsFoundUnderANameThatIsNone) {
  EXPECT_FALSE(find_toolchain(isolation_, {"no-such-compiler", "/no/such/compiler"}));
}

TEST_F(Languages, ManyBuildsAtOnceOfOneTask) {
  for (int turn = 0; turn < 4; ++turn) {  // each begins without a trampoline
    const auto task = scaled_sum("shared_by_threads_" + std::to_string(turn));
    std::vector<std::thread> threads;
    std::vector<BuildResult> results(4);
    for (std::size_t i = 0; i < results.size(); ++i)
      threads.emplace_back([&, i] {
        results[i] = build(honest_source(task.name) + "// " + std::to_string(i % 2) + "\n", task);
      });
    for (auto& thread : threads) thread.join();
    for (const auto& result : results) EXPECT_NO_THROW(good(result));
  }
  EXPECT_EQ(scratch_folders(), 0u);
}

}  // namespace
}  // namespace ridgeline::languages
