// Tests how prompts describe the machine, with a worker's report and without one.
#include "engine/campaign/machine.hpp"

#include <gtest/gtest.h>

namespace ridgeline::campaign {
namespace {

protocol::Hello hello() {
  protocol::Hello hello;
  hello.toolchains = {{"g++", "g++ 12.2", "/usr/bin/g++", "cpp", {"-O3"}},
                      {"nvcc", "nvcc 13.0.88", "/usr/bin/nvcc", "cuda", {"-arch=sm_90"}},
                      {"python", "Python 3.12, torch 2.11.0", "/usr/bin/python3", "torch", {}},
                      {"triton", "3.6.0", "/usr/bin/python3", "triton", {}}};
  protocol::Device card;
  card.backend = "cuda";
  card.name = "a card";
  hello.devices = {card};
  return hello;
}

std::string toolchain(Language language, const std::string& backend, const protocol::Hello& said = hello()) {
  CampaignConfig config;
  config.language = language;
  config.worker.backend = backend;
  return machine_of(said, config).toolchain;
}

TEST(Machine, NamesTheToolchainOfKernelsAndTheInterpreterOfModules) {
  EXPECT_EQ(toolchain(Language::cpp, "cpu"), "g++ 12.2 -O3");
  EXPECT_EQ(toolchain(Language::cuda, "cuda"), "nvcc 13.0.88 -arch=sm_90");
  EXPECT_EQ(toolchain(Language::torch, "cpu"), "Python 3.12, torch 2.11.0");
  EXPECT_EQ(toolchain(Language::torch, "cuda"), "Python 3.12, torch 2.11.0, nvcc 13.0.88");
  EXPECT_EQ(toolchain(Language::triton, "cuda"), "Python 3.12, torch 2.11.0, triton 3.6.0");
  EXPECT_EQ(toolchain(Language::triton, "cuda", {}), "Python with PyTorch and Triton") << "a mailbox";
}

TEST(Requirements, CoverTheLanguageAndWhatItsPromptsInvite) {
  CampaignConfig config;
  config.language = Language::torch;
  config.worker.isolation = "strict";
  EXPECT_EQ(requirements_of(config).languages, std::vector<std::string>{"torch"});
  EXPECT_EQ(requirements_of(config).isolation, "strict");
  config.worker.backend = "cuda";
  EXPECT_EQ(requirements_of(config).languages, (std::vector<std::string>{"torch", "cuda"}));
  config.language = Language::triton;
  EXPECT_EQ(requirements_of(config).languages, std::vector<std::string>{"triton"});
  config.worker.torch_compile = CompileMode::standard;
  EXPECT_EQ(requirements_of(config).languages, (std::vector<std::string>{"triton", "torch"}));
}

TEST(Machine, SaysWhereItRuns) {
  CampaignConfig config;
  config.worker.backend = "cuda";
  EXPECT_EQ(machine_of(hello(), config).device, "a card");
  EXPECT_EQ(machine_of(hello(), config).backend, "cuda");
  EXPECT_EQ(machine_without_hello(config).device, "an NVIDIA GPU");
  EXPECT_EQ(machine_without_hello(config).backend, "cuda");
  config.worker.device = "one NVIDIA H200";
  EXPECT_EQ(machine_without_hello(config).device, "one NVIDIA H200");
}

}  // namespace
}  // namespace ridgeline::campaign
