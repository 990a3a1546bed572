#include "engine/worker/protocol/environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace ridgeline::protocol {
namespace {

TEST(Environment, PassesTheVariablesThatAProgramNeeds) {
  for (const char* name : {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH",
                           "CUDA_VISIBLE_DEVICES", "RIDGELINE_METRICS"})
    EXPECT_TRUE(may_inherit(name, EnvironmentFor::judge)) << name;
  EXPECT_TRUE(may_inherit("SLURM_JOB_ID", EnvironmentFor::worker));
  EXPECT_FALSE(may_inherit("SLURM_JOB_ID", EnvironmentFor::judge));
  EXPECT_TRUE(may_inherit("RIDGELINE_CACHE_MIB", EnvironmentFor::launcher));
  for (const char* name : {"RIDGELINE_TORCH", "RIDGELINE_PYTHON", "RIDGELINE_CUDA_WHEELS"})
    EXPECT_TRUE(may_inherit(name, EnvironmentFor::worker)) << name;
}

TEST(Environment, PassesNoSecretWhateverItsName) {
  for (const char* name :
       {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "HF_TOKEN", "NVIDIA_API_KEY", "CUDA_API_KEY", "SLURM_JWT",
        "HTTPS_PROXY", "AWS_SESSION_TOKEN", "LC_SECRET", "PYTHONPATH", "LD_PRELOAD"})
    for (const auto who : {EnvironmentFor::worker, EnvironmentFor::launcher, EnvironmentFor::judge})
      EXPECT_FALSE(may_inherit(name, who)) << name;
}

TEST(Environment, PassesAgentSocketsToALauncherOnly) {
  EXPECT_TRUE(may_inherit("SSH_AUTH_SOCK", EnvironmentFor::launcher));
  EXPECT_FALSE(may_inherit("SSH_AUTH_SOCK", EnvironmentFor::worker));
}

TEST(Environment, FiltersTheRealEnvironment) {
  ::setenv("OPENAI_API_KEY", "sk-very-secret", 1);
  ::setenv("CUDA_TEST_VALUE", "7", 1);
  const auto kept = inherited_environment(EnvironmentFor::worker);
  ::unsetenv("OPENAI_API_KEY");
  EXPECT_NE(std::find(kept.begin(), kept.end(), "CUDA_TEST_VALUE=7"), kept.end());
  EXPECT_TRUE(std::none_of(kept.begin(), kept.end(), [](const std::string& entry) {
    return entry.find("secret") != std::string::npos;
  }));
}

}  // namespace
}  // namespace ridgeline::protocol
