// Answers to KernelBench's files on a GPU, with the real programs: a warm worker, one line an answer. Wants a
// Python whose torch was built for CUDA: RIDGELINE_PYTHON, else python3.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/engine/cli/batch.hpp"
#include "tests/engine/cli/prompt_examples.hpp"
#include "tests/places.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string clone() {
  return (places::sources() / "tests/engine/suites/kernelbench/clone").string();
}

const char* const native = R"(
#include <cuda_runtime.h>
#include <cstdint>
__global__ void layer(const float* x, const float* w, const float* b, const float* g, const float* t, float* out) {
  const int j = blockIdx.x, i = threadIdx.x;
  __shared__ double y[32];
  double sum = b[j];
  for (int k = 0; k < 48; ++k) sum += double(x[i * 48 + k]) * w[j * 48 + k];
  y[i] = sum;
  __syncthreads();
  double m = 0, v = 0;
  for (int k = 0; k < 32; ++k) m += y[k] / 32;
  for (int k = 0; k < 32; ++k) v += (y[k] - m) * (y[k] - m) / 32;
  const double r = (y[i] - m) / sqrt(v + 1e-5) * g[j] + t[j];
  out[i * 80 + j] = r > 0 ? float(r) : 0.0F;
}
extern "C" void kernel_level2_10_normalised_layer(const float* x, const float* w, const float* b, const float* g,
                                                  const float* t, const float*, const float*, const int64_t*,
                                                  float* out, void* stream) {
  layer<<<80, 32, 0, (cudaStream_t)stream>>>(x, w, b, g, t, out);
}
)";

class ModulesOnGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto ask = [](const char* id, const std::string& source, const char* language = "torch") {
      batch_.ask(id, "level2/10", language, source);
    };
    const std::string honest = "        return torch.relu(self.norm(self.linear(x)))\n";
    ask("honest", normalised_layer(honest));
    ask("native", native, "cuda");
    ask("wrong", normalised_layer("        return 1.01 * torch.relu(self.norm(self.linear(x)))\n"));
    ask("raises", normalised_layer("        return self.linear(x[:, :3])\n"));
    ask("broken device",
        normalised_layer("        i = torch.full((1,), 10**6, device=x.device)\n        return x[i] + x\n"));
    ask("writes its input", normalised_layer("        x[0, 0] += 1e-3\n" + honest));
    batch_.run({"--suite", "kernelbench:" + clone(), "--backend", "cuda", "--isolation", "none"});
  }
  static const json& verdict(const std::string& id) { return batch_.verdict(id); }
  static std::string reason(const std::string& id, const char* stage) { return batch_.reason(id, stage); }

  static Batch batch_;
};
Batch ModulesOnGpu::batch_;

TEST_F(ModulesOnGpu, RightAnswersInBothLanguagesAreTimed) {
  for (const char* id : {"honest", "native"}) {
    EXPECT_EQ(verdict(id).at("correct"), true) << verdict(id);
    EXPECT_GT(verdict(id).at("speedup"), 0) << id;
    EXPECT_THAT(verdict(id).at("verdict").at("timing").at("baseline"), HasSubstr("Python) on "));
  }
}

TEST_F(ModulesOnGpu, DistinguishesWrongAnswersFromFailingAnswers) {
  EXPECT_EQ(reason("wrong", "correctness"), "wrong_values");
  EXPECT_EQ(reason("writes its input", "correctness"), "input_modified");
  EXPECT_EQ(reason("raises", "call"), "raised");
  EXPECT_NE(verdict("broken device").at("correct"), true);
  EXPECT_EQ(verdict("broken device").at("failed_at"), "call");
}

TEST(PromptExamplesOnGpu, AreRightBesideTheirTasks) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("ridgeline-examples-" + std::to_string(::getpid()));
  Batch batch;
  ask_examples(batch, folder, "triton", 1);
  ask_examples(batch, folder, "torch_cuda", 4);
  batch.run({"--suite", "kernelbench:" + folder.string(), "--backend", "cuda", "--isolation", "none"});
  std::filesystem::remove_all(folder);
  for (const auto* id : {"triton0", "triton1", "triton2", "torch_cuda0", "torch_cuda1", "torch_cuda2"})
    EXPECT_EQ(batch.verdict(id).at("correct"), true) << batch.verdict(id).dump(1);
}

}  // namespace
}  // namespace ridgeline::cli
