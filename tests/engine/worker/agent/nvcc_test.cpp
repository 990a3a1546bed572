// `cuda` candidates at a worker whose judge has no CUDA device, with the real nvcc in its sandbox.
#include <gmock/gmock.h>

#include <map>

#include "tests/engine/worker/agent/worker_process.hpp"

namespace ridgeline::agent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

protocol::Evaluate cuda_request(const std::string& id, const std::string& source) {
  auto evaluate = request(id, "");
  evaluate.candidate = make_candidate(Language::cuda, source);
  return evaluate;
}

TEST_F(WorkerTest, WithoutACudaDeviceReportsCompileErrorsAndRunsNothing) {
  start("good");
  const auto greeting = hello();
  EXPECT_THAT(greeting.languages, Contains("cuda"));
  EXPECT_THAT(greeting.backends, Not(Contains("cuda")));
  ASSERT_GE(greeting.toolchains.size(), 2u);  // and a Python with torch, where there is one
  EXPECT_THAT(greeting.toolchains[1].version, HasSubstr("nvcc "));
  const std::string launch =
      "extern \"C\" void kernel_scale(const float* x, float* y, int64_t n, void* stream) {\n"
      "  scale_rows<<<(n + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, n);\n}\n";
  const std::string kernel =
      "#include <cstdint>\n__global__ void scale_rows(const float* x, float* y, int64_t n) {\n"
      "  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;\n"
      "  if (i < n) y[i] = 2 * x[i];\n}\n";
  send(cuda_request("good", kernel + launch));
  send(cuda_request("bad", launch));
  std::map<std::string, Verdict> verdicts;
  for (int i = 0; i < 2; ++i) {
    const auto evaluated = std::get<protocol::Evaluated>(read());
    verdicts[evaluated.id] = evaluated.verdict;
  }
  const auto& good = verdicts.at("good");
  EXPECT_TRUE(good.compiled()) << good.build_log;
  EXPECT_EQ(good.at(Stage::call).status, Status::unavailable);
  EXPECT_EQ(good.at(Stage::call).reason, Reason::unsupported);
  EXPECT_EQ(good.at(Stage::call).detail, "no CUDA device here");
  EXPECT_THAT(good.compiler, HasSubstr("nvcc "));
  ASSERT_EQ(good.resources.size(), 1u);
  EXPECT_EQ(good.resources[0].kernel, "scale_rows");
  EXPECT_EQ(verdicts.at("bad").at(Stage::build).reason, Reason::compile_error);
  EXPECT_THAT(verdicts.at("bad").build_log, HasSubstr("kernel.cu("));
}

}  // namespace
}  // namespace ridgeline::agent
