// Whether spans are those of the kernels that ran between begin and end, and of no others.
#include "engine/cuda/kernel_spans.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "engine/cuda/cupti_search.hpp"
#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/cuda/range_profiler.hpp"

namespace ridgeline::cuda {
namespace {

// Spins until the device's timer has gone on by so many nanoseconds.
constexpr const char* kSpin = R"ptx(
.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 nanoseconds) {
  .reg .pred %p<1>;
  .reg .b64 %d<4>;
  ld.param.u64 %d0, [nanoseconds];
  mov.u64 %d1, %globaltimer;
again:
  mov.u64 %d2, %globaltimer;
  sub.u64 %d3, %d2, %d1;
  setp.lt.u64 %p0, %d3, %d0;
  @%p0 bra again;
  ret;
}
)ptx";
constexpr double kNear = 5e-6;  // seconds: the timer moves in steps, and a kernel begins and ends around it

/// CUPTI is loaded once, and never unloaded.
class KernelSpansOnGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto library = find_cupti(cupti_folders());
    ASSERT_TRUE(library) << no_cupti_text(cupti_folders());
    cupti_ = load_cupti(library->string());
  }
  void SetUp() override {
    ASSERT_TRUE(cupti_.cuptiActivityEnable) << "CUPTI did not load";
    check(driver().cuModuleLoadData(&module_, kSpin), "loading the kernel that spins");
    check(driver().cuModuleGetFunction(&spin_, module_, "spin"), "finding spin");
    spin(1e-6);  // loads its code
    settle();
    spans_.emplace(cupti_);
  }
  void TearDown() override {
    spans_.reset();
    if (module_) driver().cuModuleUnload(module_);
  }

  void spin(double seconds, CUstream stream = nullptr) const {
    auto nanoseconds = static_cast<std::uint64_t>(seconds * 1e9);
    void* arguments[] = {&nanoseconds};
    check(driver().cuLaunchKernel(spin_, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr), "launching spin");
  }
  static void settle() { check(driver().cuCtxSynchronize(), "waiting for spin"); }

  static inline Cupti cupti_;
  PrimaryContext context_{0};
  CUmodule module_ = nullptr;
  CUfunction spin_ = nullptr;
  std::optional<KernelSpans> spans_;
};

TEST_F(KernelSpansOnGpu, AreAsLongAsTheirKernel) {
  for (const double seconds : {20e-6, 100e-6, 1e-3}) {
    spans_->begin();
    spin(seconds);
    settle();
    const auto sum = spans_->end();
    std::printf("a kernel of %.0f us took %.2f us\n", 1e6 * seconds, 1e6 * sum.seconds);
    EXPECT_EQ(sum.kernels, 1u);
    EXPECT_EQ(sum.lost, 0u);
    EXPECT_NEAR(sum.seconds, seconds, kNear);
  }
}

TEST_F(KernelSpansOnGpu, AddUpWithoutTheGapsBetweenKernels) {
  spans_->begin();
  spin(30e-6);
  settle();  // a gap of some microseconds
  spin(50e-6);
  settle();
  const auto sum = spans_->end();
  EXPECT_EQ(sum.kernels, 2u);
  EXPECT_NEAR(sum.seconds, 80e-6, 2 * kNear);
}

TEST_F(KernelSpansOnGpu, LeaveOutWhatRanBeforeAndAfter) {
  spin(200e-6);
  settle();
  spans_->begin();
  settle();
  const auto nothing = spans_->end();
  EXPECT_EQ(nothing.kernels, 0u);
  EXPECT_EQ(nothing.seconds, 0);
  spin(200e-6);
  settle();
  spans_->begin();
  spin(40e-6);
  settle();
  const auto sum = spans_->end();
  EXPECT_EQ(sum.kernels, 1u);
  EXPECT_NEAR(sum.seconds, 40e-6, kNear);
}

TEST_F(KernelSpansOnGpu, CountEachKernelOfAGraphThatWasMadeBefore) {
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec made = nullptr;
  check(driver().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a stream");
  check(driver().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED), "beginning a capture");
  spin(30e-6, stream);
  spin(50e-6, stream);
  check(driver().cuStreamEndCapture(stream, &graph), "ending a capture");
  check(driver().cuGraphInstantiateWithFlags(&made, graph, 0), "making a graph");
  spans_->begin();
  check(driver().cuGraphLaunch(made, stream), "launching a graph");
  settle();
  const auto sum = spans_->end();
  EXPECT_EQ(sum.kernels, 2u);
  EXPECT_EQ(sum.lost, 0u);
  EXPECT_NEAR(sum.seconds, 80e-6, 2 * kNear);
  driver().cuGraphExecDestroy(made);
  driver().cuGraphDestroy(graph);
  driver().cuStreamDestroy(stream);
}

TEST_F(KernelSpansOnGpu, FollowARangeProfilerThatIsGone) {
  if (const auto why = counters_forbidden(); !why.empty()) GTEST_SKIP() << why;
  spans_.reset();
  {
    const RangeProfiler profiler(cupti_);
  }
  spans_.emplace(cupti_);
  spans_->begin();
  spin(40e-6);
  settle();
  const auto sum = spans_->end();
  EXPECT_EQ(sum.kernels, 1u);
  EXPECT_NEAR(sum.seconds, 40e-6, kNear);
}

}  // namespace
}  // namespace ridgeline::cuda
