// Holds what the tests of the room share: a compiler with a cache of its own, small tasks, a loaded library.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/signature.hpp"
#include "engine/worker/languages/call_abi.hpp"
#include "engine/worker/languages/compiler.hpp"

namespace ridgeline::languages {

/// out = scale * (a + b), with a flag that negates; all kinds of arguments in one task.
inline Task scaled_sum(std::string name = "scaled_sum") {
  Task task;
  task.name = std::move(name);
  task.sizes = {"M", "N"};
  const std::vector<Expression> shape = {Expression::parse("M"), Expression::parse("N")};
  const auto tensor = [&](const char* of, DType dtype, Role role) {
    Tensor t;
    t.name = of;
    t.dtype = dtype;
    t.role = role;
    t.shape = shape;
    return t;
  };
  task.parameters = {tensor("a", DType::float32, Role::in),
                     tensor("b", DType::float32, Role::in),
                     Scalar{"scale", ScalarType::float64, Expression::parse("2")},
                     Scalar{"shift", ScalarType::int64, Expression::parse("1")},
                     Scalar{"negate", ScalarType::boolean, Expression::parse("0")},
                     tensor("out", DType::float32, Role::out)};
  return task;
}

inline constexpr const char* kSignature =
    "(const float* a, const float* b, float* out, int64_t M, int64_t N, double scale, int64_t shift, bool "
    "negate, ";

/// A kernel of scaled_sum with everything right.
inline std::string honest_source(const std::string& task = "scaled_sum") {
  return "#include <cstdint>\nextern \"C\" void kernel_" + task + kSignature +
         "void* stream) {\n  (void)stream;\n  for (int64_t i = 0; i < M * N; ++i)\n"
         "    out[i] = float((negate ? -1 : 1) * scale * (a[i] + b[i]) + shift);\n}\n";
}

/// Loads a library of a trusted test source into this process.
class Loaded {
 public:
  explicit Loaded(const BuildArtefact& artefact)
      : handle_(::dlopen(artefact.library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) throw std::runtime_error(::dlerror());
  }
  ~Loaded() { ::dlclose(handle_); }
  Loaded(const Loaded&) = delete;

  int call(const std::vector<void*>& tensors, const std::vector<std::int64_t>& sizes,
           const std::vector<double>& floats, const std::vector<std::int64_t>& integers,
           void* workspace = nullptr) {
    const auto function = reinterpret_cast<CallFunction>(::dlsym(handle_, kCallSymbol));
    return function(tensors.data(), sizes.data(), floats.data(), integers.data(), workspace, nullptr);
  }
  std::size_t workspace(const std::vector<std::int64_t>& sizes) {
    return reinterpret_cast<WorkspaceFunction>(::dlsym(handle_, kWorkspaceSymbol))(sizes.data());
  }

 private:
  void* handle_;
};

/// One compiler for all tests of a suite, confined as strictly as this machine allows.
class Languages : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ridgeline-languages-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
    folder_ = pattern;
    isolation_ = sandbox::best_level(sandbox::probe_isolation());
    const auto toolchain = find_toolchain(isolation_);
    ASSERT_TRUE(toolchain) << "no C++ compiler; install g++";
    compiler_ = std::make_unique<Compiler>(*toolchain, BuildSettings{folder_ / "cache", isolation_});
  }
  static void TearDownTestSuite() {
    compiler_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  static BuildResult build(const std::string& source, const Task& task = scaled_sum(),
                           const std::vector<std::string>& flags = {"-std=gnu++20", "-O1"}) {
    return compiler_->build(task, make_candidate(Language::cpp, source), flags);
  }
  /// Fails the test and throws if the build failed.
  static BuildArtefact good(const BuildResult& result) {
    if (const auto* failure = std::get_if<BuildFailure>(&result))
      throw std::runtime_error(std::string{to_string(failure->reason)} + ": " + failure->detail + "\n" +
                               failure->log);
    return std::get<BuildArtefact>(result);
  }
  static BuildFailure bad(const BuildResult& result) {
    if (!std::holds_alternative<BuildFailure>(result)) throw std::runtime_error("the build succeeded");
    return std::get<BuildFailure>(result);
  }
  static void expect_reason(const BuildResult& result, Reason reason) {
    const auto failure = bad(result);
    EXPECT_EQ(to_string(failure.reason), to_string(reason)) << failure.detail << "\n" << failure.log;
  }
  /// Every scratch folder is gone again.
  static std::size_t scratch_folders() {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache"))
      count += entry.path().filename().string().starts_with("scratch-");
    return count;
  }

  static inline std::filesystem::path folder_;
  static inline sandbox::Isolation isolation_ = sandbox::Isolation::none;
  static inline std::unique_ptr<Compiler> compiler_;
};

}  // namespace ridgeline::languages
