#include "engine/torch_slim/headers.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ridgeline::torch_slim {
namespace {

TEST(TorchSlimHeaders, AreCompiledIn) {
  std::set<std::string> paths;
  for (const auto* header = headers; header->path; ++header) paths.insert(header->path);
  for (const char* path : {"torch/extension.h", "torch/types.h", "ATen/ATen.h", "ATen/cuda/CUDAContext.h",
                           "c10/cuda/CUDAGuard.h", "torch_slim/runtime/runtime.cpp"})
    EXPECT_TRUE(paths.contains(path)) << path;
}

TEST(TorchSlimHeaders, HaveAHashOfTheirOwn) {
  EXPECT_EQ(headers_hash().size(), sha256("").size());
  EXPECT_EQ(headers_hash(), headers_hash());
}

}  // namespace
}  // namespace ridgeline::torch_slim
