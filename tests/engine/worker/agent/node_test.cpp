// A whole node: which cores and which GPUs a worker uses, and an agent over a fake of eight.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <numeric>
#include <set>

#include "engine/core/error.hpp"
#include "engine/worker/agent/agent.hpp"
#include "engine/worker/agent/gpu_choice.hpp"
#include "engine/worker/agent/machine.hpp"
#include "engine/worker/agent/pci_locality.hpp"

namespace ridgeline::agent {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::ThrowsMessage;

std::vector<int> range(int first, int past) {
  std::vector<int> numbers(static_cast<std::size_t>(past - first));
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// 128 cores on two NUMA nodes with four GPUs each.
std::vector<PlannedDevice> eight_on_two_nodes() {
  std::vector<PlannedDevice> devices;
  for (int i = 0; i < 8; ++i)
    devices.push_back({"cuda:" + std::to_string(i), i / 4, i < 4 ? range(0, 64) : range(64, 128)});
  return devices;
}

TEST(NodePlan, EachOfEightGpusHasTwoCoresOfItsNodeAndBuildsHaveTheRest) {
  const auto plan = plan_cores(range(0, 128), eight_on_two_nodes());
  ASSERT_THAT(plan.devices, SizeIs(8));
  std::set<int> reserved;
  for (std::size_t i = 0; i < 8; ++i) {
    const auto& cores = plan.devices[i];
    EXPECT_EQ(cores.device, "cuda:" + std::to_string(i));
    ASSERT_THAT(cores.reserved, SizeIs(2));
    for (const int cpu : cores.reserved) {
      EXPECT_EQ(cpu / 64, static_cast<int>(i) / 4) << "near its GPU";
      EXPECT_TRUE(reserved.insert(cpu).second) << "no other judge's";
      EXPECT_THAT(plan.build_cpus, Not(Contains(cpu)));
      EXPECT_THAT(cores.allowed, Contains(cpu));
    }
    EXPECT_THAT(cores.allowed, SizeIs(2 + 56)) << "with what its node has for builds";
    EXPECT_EQ(cores.threads, 16);
  }
  EXPECT_THAT(plan.build_cpus, SizeIs(112));
  EXPECT_EQ(plan.builders, 112) << "32, and 16 for each further GPU, but a core each";
  for (std::size_t i = 0; i < 8; ++i)
    for (const int cpu : plan.devices[i].allowed)
      for (std::size_t other = 0; other < 8; ++other) {
        if (other == i) continue;
        EXPECT_THAT(plan.devices[other].reserved, Not(Contains(cpu)));
      }
}

TEST(NodePlan, OneGpuIsPlannedAsBeforeThereWereMore) {
  const auto plan = plan_cores(range(0, 16), {{"cuda:0", -1, range(0, 16)}});
  EXPECT_THAT(plan.build_cpus, ElementsAre(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  EXPECT_EQ(plan.builders, 14);
  EXPECT_THAT(plan.devices[0].reserved, ElementsAre(0, 1));
  EXPECT_THAT(plan.devices[0].allowed, IsEmpty()) << "its judge is not bound";
  EXPECT_EQ(plan.devices[0].threads, 16);
}

TEST(NodePlan, WithoutFactsOfTheBusTheGpusShareAllCores) {
  const auto plan = plan_cores(range(0, 32), {{"cuda:0", -1, {}}, {"cuda:1", -1, {}}});
  EXPECT_THAT(plan.devices[0].reserved, ElementsAre(0, 1));
  EXPECT_THAT(plan.devices[1].reserved, ElementsAre(2, 3));
  EXPECT_THAT(plan.build_cpus, SizeIs(28));
  EXPECT_EQ(plan.builders, 28);
  EXPECT_THAT(plan.devices[1].allowed, SizeIs(30));
  EXPECT_EQ(plan.devices[0].threads, 16);
}

TEST(NodePlan, TooFewCoresAreReservedForNobody) {
  const auto plan = plan_cores(range(0, 16), eight_on_two_nodes());
  EXPECT_EQ(plan.builders, 1);
  EXPECT_THAT(plan.build_cpus, IsEmpty());
  for (const auto& cores : plan.devices) {
    EXPECT_THAT(cores.reserved, IsEmpty());
    EXPECT_THAT(cores.allowed, IsEmpty());
    EXPECT_EQ(cores.threads, 2);
  }
}

TEST(NodePlan, ANodeWithMoreGpusThanPairsOfCoresTakesThemElsewhere) {
  std::vector<PlannedDevice> devices{{"cuda:0", 0, {0, 1}}, {"cuda:1", 0, {0, 1}}};
  const auto plan = plan_cores(range(0, 8), devices);
  EXPECT_THAT(plan.devices[0].reserved, ElementsAre(0, 1));
  EXPECT_THAT(plan.devices[1].reserved, ElementsAre(2, 3));
  EXPECT_THAT(plan.build_cpus, ElementsAre(4, 5, 6, 7));
}

TEST(NodePlan, SaysItselfInALine) {
  const auto plan = plan_cores(range(0, 128), eight_on_two_nodes());
  EXPECT_EQ(describe(plan.devices[4]),
            "cuda:4: cores 64-65 of NUMA node 1 for itself, 72-127 with builds, 16 threads");
}

TEST(CpuList, IsReadAndWrittenAsTheSystemDoes) {
  EXPECT_EQ(cpu_list({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(cpu_list({}), "");
  EXPECT_THAT(read_cpu_list("0-2,5,7-8"), ElementsAre(0, 1, 2, 5, 7, 8));
  EXPECT_THAT(read_cpu_list("x,3-,4-y,9"), ElementsAre(9)) << "what is no number is left out";
  EXPECT_THAT(read_cpu_list("0-99999999"), SizeIs(CPU_SETSIZE));
}

TEST(PciLocality, IsReadFromWhereTheSystemWritesIt) {
  const auto bus = std::filesystem::temp_directory_path() / ("ridgeline-bus-" + std::to_string(::getpid()));
  std::filesystem::create_directories(bus / "devices/0000:1b:00.0");
  std::ofstream(bus / "devices/0000:1b:00.0/numa_node") << "1\n";
  std::ofstream(bus / "devices/0000:1b:00.0/local_cpulist") << "4-6\n";
  const auto found = pci_locality("0000:1B:00.0", bus);
  EXPECT_EQ(found.numa_node, 1);
  EXPECT_THAT(found.local_cpus, ElementsAre(4, 5, 6));
  for (const char* unknown : {"", "0000:2b:00.0", "../devices/0000:1b:00.0"}) {
    EXPECT_EQ(pci_locality(unknown, bus).numa_node, -1) << unknown;
    EXPECT_THAT(pci_locality(unknown, bus).local_cpus, IsEmpty());
  }
  std::filesystem::remove_all(bus);
}

protocol::Described described(int gpus) {
  protocol::Described described;
  described.devices = {{"a CPU", "cpu", 0}};
  for (int i = 0; i < gpus; ++i)
    described.devices.push_back({"a GPU", "cuda", i, 80e9, "sm_90", "GPU-" + std::to_string(i)});
  return described;
}

TEST(GpuChoice, TakesAllOrThoseThatAreNamed) {
  auto eight = described(8);
  EXPECT_THAT(chosen_gpus(eight, {}), SizeIs(8));
  const auto two = chosen_gpus(eight, {"cuda:5", "cuda:1"});
  ASSERT_THAT(two, SizeIs(2));
  EXPECT_EQ(two[0].uuid, "GPU-1");
  EXPECT_EQ(two[1].uuid, "GPU-5");
  EXPECT_THAT([&] { chosen_gpus(eight, {"cuda:8"}); },
              ThrowsMessage<BadInput>(AllOf(HasSubstr("no cuda:8"), HasSubstr("cuda:0, cuda:1"))));
  auto none = described(0);
  EXPECT_THAT(chosen_gpus(none, {}), IsEmpty());
  EXPECT_THAT([&] { chosen_gpus(none, {"cuda:0"}); }, ThrowsMessage<BadInput>(HasSubstr("has no GPU")));
}

TEST(GpuChoice, LeavesOutCardsThatNeedOtherBuildsAndSaysHowToUseThem) {
  auto mixed = described(3);
  mixed.devices[2].architecture = "sm_80";
  EXPECT_THAT(chosen_gpus(mixed, {}), SizeIs(2));
  EXPECT_THAT(mixed.shortfalls,
              ElementsAre(AllOf(HasSubstr("cuda:1 (sm_80)"), HasSubstr("--devices cuda:1"))));
}

/// What a node of fake GPUs was asked to do. Judges run on threads of their own.
struct Node {
  std::mutex mutex;
  std::vector<JudgeOfDevice> judges;                // in the order in which they were made
  std::map<std::string, std::set<std::string>> of;  // tasks that each device measured
  std::map<std::string, int> measured;              // requests of each device
  std::set<std::string> broken;                     // devices whose judge dies at every request
  std::map<std::string, int> starts;
  int gpus = 8;
};

class FakeGpu final : public JudgeConnection {
 public:
  FakeGpu(Node& node, std::string name) : node_(node), name_(std::move(name)) {}
  protocol::Described start() override {
    const std::lock_guard lock(node_.mutex);
    ++node_.starts[name_];
    return described(node_.gpus);
  }
  protocol::FromJudge call(const protocol::ToJudge& request) override {
    if (const auto* prepare = std::get_if<protocol::Prepare>(&request))
      return protocol::Prepared{prepare->id};
    const auto& judge = std::get<protocol::JudgeRequest>(request);
    {
      const std::lock_guard lock(node_.mutex);
      if (node_.broken.contains(name_)) throw MachineCannot("the GPU has fallen off the bus");
      node_.of[name_].insert(judge.task.hash);
      ++node_.measured[name_];
    }
    ::usleep(2000);  // a verdict takes its time, so that others wait
    Verdict verdict;
    verdict.at(Stage::call).status = Status::passed;
    return protocol::Judged{judge.id, verdict};
  }
  void stop() override {}

 private:
  Node& node_;
  std::string name_;
};

class QuickBuilder final : public Builder {
 public:
  BuildOutcome build(const protocol::Evaluate&) override {
    BuildOutcome outcome;
    outcome.built = true;
    return outcome;
  }
};

/// Has `count` requests of `tasks` tasks answered, in turns.
std::map<std::string, Verdict> judge_on(Node& node, int count, int tasks,
                                        const std::vector<std::string>& wanted = {}) {
  QuickBuilder builder;
  AgentSettings settings{.cores = {.builders = 4},
                         .wanted_devices = wanted,
                         .isolation_offered = "standard",
                         .languages = {"cuda"},
                         .judge_delay = 0.001};
  settings.plan_cores = [](const std::vector<protocol::Device>& gpus) {
    CorePlan plan{.builders = 6};
    for (const auto& gpu : gpus) plan.devices.push_back({.device = device_selector(gpu), .threads = 3});
    return plan;
  };
  std::map<std::string, Verdict> verdicts;
  Agent* running = nullptr;
  Agent agent(
      settings, builder,
      [&](const JudgeOfDevice& device) -> std::unique_ptr<JudgeConnection> {
        node.judges.push_back(device);
        return std::make_unique<FakeGpu>(node, device.name);
      },
      [&](protocol::FromWorker message) {
        auto& evaluated = std::get<protocol::Evaluated>(message);
        verdicts.emplace(evaluated.id, std::move(evaluated.verdict));
        if (static_cast<int>(verdicts.size()) == count) running->end();
      },
      [](const std::string&) {});
  running = &agent;
  agent.boot();
  for (int i = 0; i < count; ++i) {
    protocol::Evaluate request;
    request.id = std::to_string(i);
    request.task.hash = "task " + std::to_string(i % tasks);
    request.candidate = make_candidate(Language::cuda, std::to_string(i));
    agent.post(request);
  }
  agent.run();
  return verdicts;
}

TEST(NodeOfEight, EveryGpuHasAJudgeThatSeesItAlone) {
  Node node;
  judge_on(node, 1, 1);
  ASSERT_THAT(node.judges, SizeIs(9));
  EXPECT_EQ(node.judges[0].name, "cpu:0");
  for (int i = 0; i < 8; ++i) {
    const auto& judge = node.judges[static_cast<std::size_t>(i) + 1];
    EXPECT_EQ(judge.name, "cuda:" + std::to_string(i));
    EXPECT_EQ(judge.uuid, "GPU-" + std::to_string(i));
    EXPECT_EQ(judge.threads, 3);
  }
}

TEST(NodeOfEight, AllWorkAndTasksStayWhereTheyWereLearned) {
  Node node;
  const auto verdicts = judge_on(node, 160, 16);
  EXPECT_THAT(node.measured, SizeIs(8)) << "none idles";
  std::size_t learned = 0;
  for (const auto& [device, tasks] : node.of) learned += tasks.size();
  EXPECT_LT(learned, 16u * 8 / 2) << "of 128 pairs of task and device";
  for (const auto& [id, verdict] : verdicts)
    EXPECT_THAT(verdict.notes, ElementsAre(HasSubstr("judged on cuda:"))) << id;
}

TEST(NodeOfEight, OneTaskKeepsAllBusy) {
  Node node;
  judge_on(node, 120, 1);
  EXPECT_THAT(node.measured, SizeIs(8));
}

TEST(NodeOfEight, ADeviceThatFailsIsTakenOutAndNoRequestSuffers) {
  Node node;
  node.broken = {"cuda:3"};
  const auto verdicts = judge_on(node, 160, 16);
  for (const auto& [id, verdict] : verdicts) {
    EXPECT_EQ(verdict.at(Stage::call).status, Status::passed) << id;
    EXPECT_THAT(verdict.notes, Not(Contains(HasSubstr("cuda:3"))));
  }
  EXPECT_FALSE(node.measured.contains("cuda:3"));
  EXPECT_LE(node.starts["cuda:3"], 5) << "it is given up after five deaths in a row";
}

TEST(NodeOfEight, MeasuresOnlyOnThoseThatAreWanted) {
  Node node;
  judge_on(node, 20, 4, {"cuda:2", "cuda:6"});
  EXPECT_THAT(node.judges, SizeIs(3));
  for (const auto& [device, requests] : node.measured) EXPECT_TRUE(device == "cuda:2" || device == "cuda:6");
}

TEST(NodeOfOne, ItsOnlyGpuIsUsedAsEverAndResultsNeedNoNote) {
  Node node;
  node.gpus = 1;
  const auto verdicts = judge_on(node, 5, 2);
  ASSERT_THAT(node.judges, SizeIs(2));
  EXPECT_EQ(node.judges[1].uuid, "") << "it sees what the worker sees";
  EXPECT_EQ(node.measured["cuda:0"], 5);
  for (const auto& [id, verdict] : verdicts) EXPECT_THAT(verdict.notes, IsEmpty());
}

}  // namespace
}  // namespace ridgeline::agent
