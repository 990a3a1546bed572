// The front ends over torch's own headers, against the builds that they stand for: a minute of CPU to make
// what they need.
#include "engine/worker/languages/torch_extension/front_ends/front_ends.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "../request_sources.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/languages/torch_extension/extension_builder.hpp"

namespace ridgeline::front_ends {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

TEST(FrontEnds, FreeMemoryIsWhatTheSystemCallsAvailable) {
  EXPECT_EQ(available_memory("MemTotal: 9 kB\nMemAvailable:   23633080 kB\nBuffers: 1 kB\n"),
            std::uint64_t{23633080} << 10);
  EXPECT_EQ(available_memory("MemTotal: 9 kB\n"), 0u);
}

#ifdef RIDGELINE_NVCC

class OracleFrontEnds : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = fs::temp_directory_path() / "front-ends-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    const auto isolation = sandbox::best_level(sandbox::probe_isolation());
    const auto host = languages::find_toolchain(isolation);
    const auto nvcc = languages::find_nvcc(isolation, host.value(), {RIDGELINE_NVCC});
    const auto python = std::get<languages::PythonToolchain>(languages::ask_python(RIDGELINE_PYTHON));
    torch_ = std::get<torch_extension::TorchHeaders>(
        torch_extension::find_torch_headers(python.package, python.include));
    const languages::BuildSettings settings{folder_ / "cache", isolation,
                                            torch_extension::default_extension_limits()};
    builder_ = std::make_unique<torch_extension::ExtensionBuilder>(nvcc.value(), settings);
    front_ends_ = std::make_unique<FrontEnds>(
        Tools{*nvcc, builder_->architecture(), settings, torch_, RIDGELINE_BIN_DIR "/libridgeline-held.so"},
        [](const std::string&) {});
    ASSERT_EQ(front_ends_->warm_up(), "");
  }
  static void TearDownTestSuite() {
    front_ends_.reset();
    builder_.reset();
    fs::remove_all(folder_);
  }

  static Checked checked(const torch_extension::ExtensionRequest& request) {
    const auto flags = torch_extension::read_extension_flags(request);
    return front_ends_->check(request, std::get<torch_extension::ExtensionFlags>(flags));
  }
  /// What is told of a request that is refused, and what the full build tells.
  static void expect_the_builds_words(const torch_extension::ExtensionRequest& request) {
    const auto known = checked(request);
    ASSERT_EQ(known.outcome, Checked::Outcome::refused) << known.why;
    const auto told = builder_->failure_with_torch(request, known.log);
    const auto full = std::get<languages::BuildFailure>(builder_->build_with_torch(request, torch_));
    EXPECT_EQ(told.detail, full.detail);
    EXPECT_EQ(told.log, full.log);
    EXPECT_EQ(told.reason, full.reason);
  }

  static inline fs::path folder_;
  static inline torch_extension::TorchHeaders torch_;
  static inline std::unique_ptr<torch_extension::ExtensionBuilder> builder_;
  static inline std::unique_ptr<FrontEnds> front_ends_;
};

TEST_F(OracleFrontEnds, LetWhatIsRightPass) {
  const auto passed = checked(torch_extension::scale_request());
  EXPECT_EQ(passed.outcome, Checked::Outcome::passed) << passed.why << passed.log;
  auto request = torch_extension::scale_request();
  request.cflags = {"-O3"};
  request.cuda_cflags = {"-O3", "--use_fast_math"};
  EXPECT_EQ(checked(request).outcome, Checked::Outcome::passed);
}

TEST_F(OracleFrontEnds, RefuseWhatNvccRefusesInItsWords) {
  auto request = torch_extension::scale_request();
  request.cuda_sources.front() +=
      "torch::Tensor more(torch::Tensor x) {\n"
      "  AT_DISPATCH_FLOATING_TYPES(x.type(), \"more\", ([&] { outputs; }));\n  return x;\n}\n";
  expect_the_builds_words(request);
}

TEST_F(OracleFrontEnds, RefuseAHeaderThatIsNotThereInTheCompilersWords) {
  auto request = torch_extension::scale_request();
  request.cuda_sources.front() += "#include <ATen/no_such_header.h>\n";
  expect_the_builds_words(request);
}

TEST_F(OracleFrontEnds, RefuseAFunctionThatIsDeclaredNowhereInTheCompilersWords) {
  auto request = torch_extension::scale_request();
  request.functions.emplace_back("absent", "absent");
  expect_the_builds_words(request);
}

TEST_F(OracleFrontEnds, DecideNothingOnceTheyHaveEnded) {
  front_ends_->wind_down();
  EXPECT_EQ(checked(torch_extension::scale_request()).outcome, Checked::Outcome::undecided);
}

#endif

}  // namespace
}  // namespace ridgeline::front_ends
