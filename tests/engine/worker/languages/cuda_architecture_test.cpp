// Architectures in nvcc's flags, fitted to a device as its driver would choose.
#include "engine/worker/languages/flags/cuda_architecture.hpp"

#include <gmock/gmock.h>

namespace ridgeline::languages {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> fitted(const std::vector<std::string>& flags, const std::string& device = "sm_90") {
  auto result = fit_architectures(flags, device);
  if (const auto* why = std::get_if<FitsNoDevice>(&result)) throw std::runtime_error(*why);
  return std::get<FittedFlags>(result);
}

std::string misfit(const std::vector<std::string>& flags, const std::string& device = "sm_90") {
  const auto result = fit_architectures(flags, device);
  const auto* why = std::get_if<FitsNoDevice>(&result);
  return why ? *why : "";
}

TEST(CudaArchitecture, FlagsThatNameNoneStayAsTheyAre) {
  EXPECT_THAT(fitted({"-O3", "-DARCH=90", "-std=c++17"}), ElementsAre("-O3", "-DARCH=90", "-std=c++17"));
}

TEST(CudaArchitecture, MachineCodeThatTheDeviceRunsIsBuilt) {
  EXPECT_THAT(fitted({"-arch=sm_90", "-O3"}), ElementsAre("-O3", "-arch=sm_90"));
  EXPECT_THAT(fitted({"-arch", "sm_90a"}), ElementsAre("-arch=sm_90a"));
  EXPECT_THAT(fitted({"--gpu-architecture=sm_80"}, "sm_86"), ElementsAre("-arch=sm_80"));
  EXPECT_THAT(fitted({"-gencode", "arch=compute_80,code=sm_90"}),
              ElementsAre("-gencode=arch=compute_80,code=sm_90"));
  EXPECT_THAT(fitted({"-arch=compute_80", "-code=sm_80,sm_90"}),
              ElementsAre("-gencode=arch=compute_80,code=sm_90"));
  EXPECT_THAT(fitted({"-arch=sm_100f"}, "sm_103"), ElementsAre("-arch=sm_100f"));
}

TEST(CudaArchitecture, OfALongListOnlyTheDevicesOwnIsBuilt) {
  EXPECT_THAT(fitted({"-gencode=arch=compute_70,code=sm_70", "-O2", "-gencode=arch=compute_80,code=sm_80",
                      "-gencode=arch=compute_90,code=sm_90", "-gencode=arch=compute_90,code=compute_90"}),
              ElementsAre("-O2", "-arch=sm_90"));
  EXPECT_THAT(fitted({"-gencode=arch=compute_90,code=sm_90", "-gencode=arch=compute_90a,code=sm_90a"}),
              ElementsAre("-arch=sm_90", "-arch=sm_90a"));
}

TEST(CudaArchitecture, PtxIsAssembledForTheDeviceAsItsDriverWould) {
  EXPECT_THAT(std::get<FitsNoDevice>(fit_architectures({"-code=sm_80"}, "sm_90")),
              HasSubstr("-code without -arch"))
      << "nvcc refuses it too";
  EXPECT_THAT(fitted({"-arch=sm_80"}), ElementsAre("-gencode=arch=compute_80,code=sm_90"));
  EXPECT_THAT(fitted({"-arch=compute_75"}), ElementsAre("-gencode=arch=compute_75,code=sm_90"));
  EXPECT_THAT(fitted({"-gencode=arch=compute_75,code=[sm_75,compute_75]",
                      "-gencode=arch=compute_86,code=\"sm_86,compute_86\""}),
              ElementsAre("-gencode=arch=compute_86,code=sm_90"));
}

TEST(CudaArchitecture, NativeAndAllAreTheDevice) {
  for (const char* name : {"native", "all", "all-major"})
    EXPECT_THAT(fitted({std::string("-arch=") + name}, "sm_120"), ElementsAre("-arch=sm_120"));
}

TEST(CudaArchitecture, WhatRunsNowhereHereIsToldWithItsRepair) {
  EXPECT_EQ(misfit({"-gencode=arch=compute_70,code=sm_70"}),
            "the compiler flags build for sm_70 alone, which does not run on this device (sm_90); name no "
            "architecture, or -arch=sm_90");
  EXPECT_THAT(misfit({"-arch=sm_100"}), HasSubstr("build for sm_100 and compute_100 alone"));
  EXPECT_THAT(misfit({"-arch=sm_90a"}, "sm_100"), HasSubstr("sm_90a"));
  EXPECT_THAT(misfit({"-gencode=arch=compute_89,code=sm_89"}, "sm_86"), HasSubstr("sm_89"));
}

TEST(CudaArchitecture, NvccsWordsForOneThatItNoLongerBuildsGetARepair) {
  EXPECT_THAT(with_architecture_hint("nvcc fatal   : Unsupported gpu architecture 'compute_70'"),
              HasSubstr("name no architecture"));
  EXPECT_EQ(with_architecture_hint("kernel.cu(3): error: x"), "kernel.cu(3): error: x");
}

}  // namespace
}  // namespace ridgeline::languages
