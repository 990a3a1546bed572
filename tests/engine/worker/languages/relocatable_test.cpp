// Device code is built relocatable where flags or words of nvcc's steps ask for it.
#include "engine/worker/languages/cuda/relocatable.hpp"

#include <gmock/gmock.h>

namespace ridgeline::languages {
namespace {

using testing::ElementsAre;

TEST(Relocatable, IsWhatTheFlagsSay) {
  for (const char* flag : {"-rdc=true", "--relocatable-device-code=true"})
    EXPECT_TRUE(names_relocatable({"-O3", flag})) << flag;
  EXPECT_FALSE(names_relocatable({"-O3", "-rdc=false", "-DX=true"}));
  EXPECT_THAT(with_relocatable({"-rdc=false", "-O3"}), ElementsAre("-O3", "-rdc=true"));
}

TEST(Relocatable, IsAskedForByLaunchesFromDeviceCodeAndExternVariables) {
  EXPECT_TRUE(
      asks_for_device_runtime("kernel.cu(7): error: kernel launch from __device__ or __global__ functions "
                              "requires separate compilation mode\n"));
  EXPECT_TRUE(
      asks_for_device_runtime("ptxas fatal   : Unresolved extern function '__cudaCDP2GetLastError'\n"));
  const char* const twice = "kernel.cu:3:14: error: redefinition of ‘float w [16]’\n";
  EXPECT_TRUE(asks_for_relocatable(twice));
  EXPECT_FALSE(asks_for_device_runtime(twice)) << "plain C++ says that too";
}

TEST(Relocatable, ServesNoOtherFailure) {
  for (const char* log : {"ptxas fatal   : Unresolved extern function '_Z9elsewherei'\n",
                          "kernel.cu(3): error: identifier \"x\" is undefined\n", ""})
    EXPECT_FALSE(asks_for_relocatable(log)) << log;
}

TEST(Relocatable, AToolkitWithoutTheDevicesLinkerIsSuspectedByItsWords) {
  EXPECT_TRUE(may_lack_device_link("sh: 1: nvlink: not found\n"));
  EXPECT_TRUE(
      may_lack_device_link("nvlink error   : Undefined reference to '__cudaCDP2LaunchDeviceV2' in 'x.o'\n"));
  EXPECT_FALSE(may_lack_device_link("nvlink error   : Undefined reference to 'f' in 'kernel.o'\n"));
}

}  // namespace
}  // namespace ridgeline::languages
