// The small parts of the agent that decide without doing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/worker/agent/assemble.hpp"
#include "engine/worker/agent/capabilities.hpp"
#include "engine/worker/agent/machine.hpp"
#include "engine/worker/agent/options.hpp"
#include "engine/worker/languages/registry/registry.hpp"

namespace ridgeline::agent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::ThrowsMessage;

TEST(CorePlan, OfTwoCoresBuildsOneBesideTheMeasurement) {
  const auto plan = plan_cores({0, 1});
  EXPECT_EQ(plan.builders, 1);
  EXPECT_TRUE(plan.build_cpus.empty());
}

TEST(CorePlan, FromFourCoresOnReservesTwo) {
  const auto plan = plan_cores({2, 3, 6, 7, 9});
  EXPECT_EQ(plan.builders, 3);
  EXPECT_THAT(plan.build_cpus, ElementsAre(6, 7, 9));
}

TEST(CorePlan, AnExplicitNumberOverrides) {
  EXPECT_EQ(plan_cores({0, 1}, {}, 3).builders, 3);
}

TEST(BuildKey, DependsOnAllThatChangesTheLibrary) {
  protocol::Evaluate request;
  request.candidate = make_candidate(Language::cpp, "x");
  const auto key = build_key(request);
  auto other = request;
  other.settings.build_flags = {"-O1"};
  EXPECT_NE(build_key(other), key);
  other = request;
  other.candidate = make_candidate(Language::cpp, "y");
  EXPECT_NE(build_key(other), key);
  other = request;
  other.settings.time = false;
  EXPECT_EQ(build_key(other), key) << "how it is measured changes nothing";
  other.settings.torch_compile = CompileMode::standard;
  EXPECT_NE(build_key(other), key);
  auto another = other;
  another.settings.torch_compile = CompileMode::max_autotune;
  EXPECT_NE(build_key(another), build_key(other)) << "a job file says the mode";
}

TEST(Options, RefuseUnknownAndBadArguments) {
  const auto options = read_options({"--builders", "3", "--cache", "/c", "--mailbox", "m"});
  EXPECT_EQ(options.builders, 3);
  EXPECT_EQ(options.cache, "/c");
  EXPECT_EQ(options.mailbox, "m");
  EXPECT_THAT([] { read_options({"--bilders", "3"}); }, ThrowsMessage<BadInput>(HasSubstr("--bilders")));
  EXPECT_THROW(read_options({"--builders", "0"}), BadInput);
  EXPECT_THROW(read_options({"--builders"}), BadInput);
}

TEST(Options, TheCachesLimitComesFromTheArgumentElseTheEnvironmentElseItIsTwoGiB) {
  EXPECT_EQ(read_options({}).cache_limit, std::uint64_t{2} << 30);
  EXPECT_EQ(read_options({}, "100").cache_limit, std::uint64_t{100} << 20);
  EXPECT_EQ(read_options({"--cache-mib", "0"}, "100").cache_limit, 0u);
  EXPECT_THAT([] { read_options({}, "2G"); },
              ThrowsMessage<BadInput>("RIDGELINE_CACHE_MIB wants a number from 0 up, not '2G'"));
  EXPECT_THROW(read_options({"--cache-mib", "99999999999"}), BadInput);
  EXPECT_EQ(read_options({}).device_memory, 0u);
  EXPECT_EQ(read_options({"--device-memory", "24GiB"}).device_memory, 24ULL << 30);
  for (const auto* size : {"24", "", "0GiB", "GiB"})
    EXPECT_THROW(read_options({"--device-memory", size}), BadInput) << size;
}

TEST(Options, DevicesAreAllOrNamed) {
  EXPECT_THAT(read_options({}).devices, testing::IsEmpty());
  EXPECT_THAT(read_options({"--devices", "all"}).devices, testing::IsEmpty());
  EXPECT_THAT(read_options({"--devices", "cuda:0,cuda:12"}).devices, ElementsAre("cuda:0", "cuda:12"));
  for (const auto* devices : {"", "0", "cuda:", "cuda:x", "cpu:0", "cuda:0;cuda:1", "all,cuda:0"})
    EXPECT_THAT([&] { read_options({"--devices", devices}); },
                ThrowsMessage<BadInput>(HasSubstr("--devices wants all, or names as cuda:0,cuda:1")))
        << devices;
}

TEST(Options, TorchComesFromTheArgumentElseTheEnvironment) {
  EXPECT_EQ(read_options({}).torch, "");
  EXPECT_EQ(read_options({}, nullptr, "/opt/site-packages").torch, "/opt/site-packages");
  EXPECT_EQ(read_options({"--torch", "/mine"}, nullptr, "/opt/site-packages").torch, "/mine");
}

TEST(Hello, SaysWhatIsMissingAndHowToFixIt) {
  Capabilities capabilities;
  capabilities.host = "node17";
  capabilities.isolation.landlock_abi = 3;
  capabilities.isolation.strict = {
      {"user namespace", "clone: EPERM", "sysctl kernel.unprivileged_userns_clone=1"}};
  capabilities.judge = std::string("no program 'ridgeline-judge'");
  const auto hello = make_hello(capabilities);
  EXPECT_TRUE(hello.languages.empty());
  EXPECT_EQ(hello.isolation.level, "standard");
  EXPECT_THAT(hello.isolation.missing, ElementsAre(HasSubstr("kernel.unprivileged_userns_clone")));
  EXPECT_THAT(hello.shortfalls, IsSupersetOf({HasSubstr("install g++"), HasSubstr("ridgeline-judge")}));
}

TEST(Hello, OffersCppWithACompilerAndAJudge) {
  Capabilities capabilities;
  capabilities.tools.host.emplace();
  capabilities.tools.host->program = "/usr/bin/g++";
  capabilities.cores.builders = 3;
  protocol::Described described;
  described.backends = {"cpu"};
  described.devices = {{"EPYC", "cpu", 0, 0}};
  capabilities.judge = described;
  const auto hello = make_hello(capabilities);
  EXPECT_EQ(hello.languages, languages::supported_languages(capabilities.tools));
  EXPECT_THAT(hello.languages, Contains("cpp"));
  EXPECT_THAT(hello.shortfalls, Contains(HasSubstr("nvidia-cuda-nvcc")));
  EXPECT_EQ(hello.window, 8);
  EXPECT_EQ(hello.devices.at(0).name, "EPYC");
}

TEST(Hello, OffersTritonIfItIsInstalled) {
  Capabilities capabilities;
  capabilities.tools.host.emplace();
  capabilities.judge = protocol::Described();
  capabilities.tools.python.emplace();
  capabilities.tools.python->program = "/v/bin/python3";
  EXPECT_THAT(make_hello(capabilities).languages, Not(Contains("triton")));
  EXPECT_THAT(make_hello(capabilities).shortfalls,
              Contains(HasSubstr("candidates in triton: /v/bin/python3 ")));
  capabilities.tools.python->triton_version = "3.6.0";
  EXPECT_THAT(make_hello(capabilities).languages, Contains("triton"));
  EXPECT_THAT(make_hello(capabilities).shortfalls, Not(Contains(HasSubstr("triton"))));
}

TEST(Capabilities, TheAgentAcceptsWhatTheHelloOffers) {
  Capabilities capabilities;
  capabilities.isolation.landlock_abi = 3;
  capabilities.tools.host.emplace();
  capabilities.tools.python.emplace();
  capabilities.judge = protocol::Described();
  const auto hello = make_hello(capabilities);
  const auto settings = agent_settings(capabilities);
  EXPECT_EQ(settings.languages, hello.languages);
  EXPECT_EQ(settings.isolation_offered, hello.isolation.level);
  for (const auto& name : all_names<Language>()) {
    const bool offered = std::ranges::find(hello.languages, name) != hello.languages.end();
    EXPECT_NE(settings.compiler_missing.contains(std::string(name)), offered) << name;
  }
}

TEST(Hello, OffersCudaForThePresentDeviceOrForSm90) {
  Capabilities capabilities;
  capabilities.tools.host.emplace();
  capabilities.tools.nvcc.emplace();
  capabilities.tools.nvcc->version = "nvcc 13.0.88";
  protocol::Described described;
  capabilities.judge = described;
  auto hello = make_hello(capabilities);
  EXPECT_THAT(hello.languages, Contains("cuda"));
  ASSERT_GE(hello.toolchains.size(), 2u);
  EXPECT_EQ(hello.toolchains[1].name, "nvcc");
  EXPECT_EQ(hello.toolchains[1].language, "cuda");
  EXPECT_THAT(hello.toolchains[1].flags, Contains("-arch=sm_90"));
  described.devices = {{"EPYC", "cpu", 0, 0}, {"NVIDIA B200", "cuda", 0, 0, "sm_100"}};
  capabilities.judge = described;
  EXPECT_THAT(make_hello(capabilities).toolchains.at(1).flags, Contains("-arch=sm_100"));
}

TEST(Verdicts, WithoutADeviceContainWhatTheBuildFound) {
  protocol::Evaluate request;
  request.candidate = make_candidate(Language::cuda, "x");
  BuildOutcome build;
  build.built = true;
  build.resources = {{"softmax_rows", "sm_90", 40}};
  build.compiler = "nvcc 13.0.88";
  const auto verdict = no_device_verdict(request, build);
  EXPECT_TRUE(verdict.compiled());
  EXPECT_EQ(verdict.at(Stage::call).status, Status::unavailable);
  EXPECT_EQ(verdict.at(Stage::call).reason, Reason::unsupported);
  EXPECT_EQ(verdict.at(Stage::call).detail, "no CUDA device here");
  ASSERT_EQ(verdict.resources.size(), 1u);
  EXPECT_EQ(verdict.resources[0].registers, 40);
}

}  // namespace
}  // namespace ridgeline::agent
