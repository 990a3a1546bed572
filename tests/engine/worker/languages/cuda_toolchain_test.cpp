#include "engine/worker/languages/cuda_toolchain.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace ridgeline::languages {
namespace {

using testing::ElementsAre;

TEST(NvccPlaces, ThePathThenTheToolkitsThenTheWheels) {
  ::setenv("CUDA_HOME", "/opt/cuda", 1);
  ::setenv("RIDGELINE_CUDA_WHEELS", "/venv/site-packages", 1);
  EXPECT_THAT(nvcc_places(),
              ElementsAre("nvcc", "/opt/cuda/bin/nvcc", "/usr/local/cuda/bin/nvcc",
                          "/venv/site-packages/bin/nvcc", "/venv/site-packages/nvidia/cu13/bin/nvcc",
                          "/venv/site-packages/nvidia/cuda_nvcc/bin/nvcc"));
  ::setenv("CUDA_HOME", "relative", 1);
  ::unsetenv("RIDGELINE_CUDA_WHEELS");
  EXPECT_THAT(nvcc_places(), ElementsAre("nvcc", "/usr/local/cuda/bin/nvcc"));
  ::unsetenv("CUDA_HOME");
}

}  // namespace
}  // namespace ridgeline::languages
