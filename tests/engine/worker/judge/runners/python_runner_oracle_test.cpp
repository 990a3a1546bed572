// Models in an interpreter that is a real runner in its real sandbox: what they compute, and how they fail.
#include <chrono>
#include <thread>

#include "engine/worker/judge/runners/runner_pool.hpp"
#include "tests/engine/worker/judge/python_bed.hpp"

namespace ridgeline::judge {
namespace {

using PythonRunner = PythonBed;

TEST_F(PythonRunner, CallsTheSlotsThatAreNamedAndNoOthers) {
  EXPECT_GT(runner_.trusted_overhead().wall, 0);
  ready(model("    def forward(self, x, y):\n        return x * y\n"));
  const auto batch = runner_.call(1, 2, kLimit);
  ASSERT_EQ(told(batch.answer), "ok");
  EXPECT_GT(batch.times.wall, 0);
  EXPECT_GT(batch.times.cpu, 0);
  EXPECT_GT(batch.times.claimed, 0);
  EXPECT_EQ(at(0, 2)[1030], -1);
  EXPECT_EQ(at(1, 2)[1030], 2060);
  EXPECT_EQ(at(2, 2)[1030], 2060);
  EXPECT_FALSE(arena_.check_guards(0, kSlots));
  EXPECT_EQ(call(3), "refused: no such slots");
  EXPECT_EQ(call(2), "ok");
}

TEST_F(PythonRunner, RunsAtEveryLevelThatThisMachineOffers) {
  for (const auto level :
       {sandbox::Isolation::none, sandbox::Isolation::standard, sandbox::Isolation::strict}) {
    if (level >= settings().level) continue;  // the best is what every other test runs at
    auto chosen = settings();
    chosen.level = level;
    RunnerProcess runner(chosen);
    const auto path = std::filesystem::temp_directory_path() / ("torch-job-" + std::to_string(::getpid()));
    std::ofstream(path) << protocol::to_json(
        job(model("    def forward(self, x, y):\n        return x + y\n")));
    ASSERT_EQ(told(runner.load(path, kLimit)), "ok") << to_string(level);
    std::filesystem::remove(path);
    ASSERT_EQ(told(runner.map(arena_, kLimit)), "ok");
    ASSERT_EQ(told(runner.arrange(arena_, kSlots, task_, case_, kLimit)), "ok");
    fill();
    ASSERT_EQ(told(runner.call(0, 1, kLimit).answer), "ok");
    EXPECT_EQ(at(0, 2)[5], 7);
  }
}

TEST_F(PythonRunner, WaitsAtTheDeviceOpenBarrierUntilThePoolOpensIt) {
  // Without a GPU it comes as far as the barrier, and ends behind it.
  auto chosen = settings();
  chosen.cuda_device = 0;
  chosen.level = sandbox::Isolation::none;
  RunnerProcessFactory factory(chosen, chosen, std::nullopt);
  RunnerPool pool(factory);
  pool.start(RunnerKind::python, 4, 1);
  EXPECT_FALSE(pool.now().starting_or_ending) << "an import disturbs no device";
  const auto ahead = pool.pause_importing_runners().size();
  EXPECT_EQ(ahead, 4u) << "nor does it take a core from what is timed; they go on after";
  const auto begin = std::chrono::steady_clock::now();
  while (!pool.find_at_hand(RunnerKind::python) &&
         std::chrono::steady_clock::now() - begin < std::chrono::minutes(1))
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(pool.find_at_hand(RunnerKind::python));
  EXPECT_LT(pool.pause_importing_runners().size(), ahead) << "what waits at the barrier takes no core";
  pool.wait_for_background_work();
  EXPECT_FALSE(pool.now().starting_or_ending);
  pool.start(RunnerKind::python, 4, 1);
  EXPECT_TRUE(pool.now().starting_or_ending) << "it opens the device";

  RunnerProcess one(chosen, RunnerProcess::Starting{});
  EXPECT_FALSE(one.past_barrier());
  one.open_barrier();
  EXPECT_TRUE(one.past_barrier());
  EXPECT_FALSE(one.at_barrier());
}

TEST_F(PythonRunner, RestsUntilItIsMappedAnew) {
  ready(model("    def forward(self, x, y):\n        return x + y\n"));
  ASSERT_EQ(told(runner_.release_memory(kLimit)), "ok");
  EXPECT_EQ(call(), "refused: no such slots");
  ASSERT_EQ(told(runner_.map(arena_, kLimit)), "ok");
  ASSERT_EQ(told(runner_.arrange(arena_, kSlots, task_, case_, kLimit)), "ok");
  fill();
  EXPECT_EQ(call(), "ok");
  EXPECT_EQ(at(0, 2)[5], 7);
}

TEST_F(PythonRunner, AnArrangementAfterAShiftMovesEveryView) {
  ready(model("    def forward(self, x, y):\n        return x - y\n"));
  for (int round = 0; round < 3; ++round) {
    for (std::size_t slot = 0; slot < kSlots; ++slot) arena_.shift(slot);
    ASSERT_EQ(told(runner_.arrange(arena_, kSlots, task_, case_, kLimit)), "ok");
    fill();
    ASSERT_EQ(call(0, kSlots), "ok");
    EXPECT_EQ(at(2, 2)[7], 5);
    EXPECT_FALSE(arena_.check_guards(0, kSlots));
  }
}

TEST_F(PythonRunner, WeightsAndBuffersComeFromTheSharedMemory) {
  auto one =
      job(model("    def __init__(self, n, scale):\n        super().__init__()\n        self.scale = scale\n"
                "        self.w = nn.Parameter(torch.zeros(n))\n"
                "    def forward(self, x, k):\n        return x * self.w * self.scale + k\n"));
  one.tensors[1].state = "w";
  one.init_arguments = "[1031]";
  one.init_named = R"({"scale": 3})";
  one.forward = {protocol::TensorAt{0}, protocol::PlainValue{"4"}};
  ready(one);
  at(1, 1)[10] = 5;  // a slot's own
  ASSERT_EQ(call(0, kSlots), "ok");
  EXPECT_EQ(at(0, 2)[10], 10 * 2 * 3 + 4);
  EXPECT_EQ(at(1, 2)[10], 10 * 5 * 3 + 4);
}

TEST_F(PythonRunner, EachCallStartsFromTheStateThatWasGiven) {
  auto one =
      job(model("    def __init__(self):\n        super().__init__()\n"
                "        self.register_buffer('running', torch.zeros(1031))\n"
                "    def forward(self, x):\n        self.running += 1\n        return x + self.running\n"));
  one.tensors[1].state = "running";
  one.tensors[1].kind = StateKind::buffer;
  one.forward = {protocol::TensorAt{0}};
  ready(one);
  ASSERT_EQ(call(0), "ok");
  ASSERT_EQ(call(0), "ok");
  ASSERT_EQ(call(0, kSlots), "ok");
  EXPECT_EQ(at(0, 2)[10], 13);
  EXPECT_EQ(at(2, 2)[10], 13);
  EXPECT_EQ(at(0, 1)[10], 2) << "the shared values stay as they are";
}

TEST_F(PythonRunner, StateMadeInInferenceModeIsGivenItsValuesToo) {
  auto one =
      job(model("    def __init__(self):\n        super().__init__()\n"
                "        with torch.inference_mode():\n"
                "            self.register_buffer('running', torch.zeros(1031))\n"
                "            self.w = nn.Parameter(torch.zeros(1031), requires_grad=False)\n"
                "    def forward(self, x):\n        self.running += 1\n"
                "        return x * self.w + self.running\n"));
  one.tensors[0].state = "w";
  one.tensors[1].state = "running";
  one.tensors[1].kind = StateKind::buffer;
  one.forward = {protocol::PlainValue{"3"}};
  ready(one);
  ASSERT_EQ(call(0), "ok");
  ASSERT_EQ(call(0, kSlots), "ok");
  EXPECT_EQ(at(2, 2)[10], 3 * 10 + 2 + 1);
}

TEST_F(PythonRunner, StateMadeInInferenceModeStaysOneTensorUnderAllItsNames) {
  auto one =
      job(model("    def __init__(self):\n        super().__init__()\n"
                "        with torch.inference_mode():\n"
                "            self.register_buffer('running', torch.zeros(1031))\n"
                "        self.register_buffer('again', self.running)\n"
                "    def forward(self):\n        self.running += 1\n        return self.again\n"));
  for (const int i : {0, 1}) {
    one.tensors[i].state = i == 0 ? "running" : "again";
    one.tensors[i].kind = StateKind::buffer;
  }
  one.forward = {};
  ready(one);
  ASSERT_EQ(call(), "ok");
  EXPECT_EQ(at(0, 2)[10], 2 + 1);
}

TEST_F(PythonRunner, WeightsOfItsTaskAreMadeBesideTheLimitOnItsMemory) {
  const auto one =
      job(model("    def __init__(self):\n        super().__init__()\n"
                "        self.w = nn.Parameter(torch.ones(300, 1 << 20))\n        until = time.time() + 1\n"
                "        while time.time() < until: pass\n"
                "    def forward(self, x, y):\n        return x + y\n"));
  constexpr std::uint64_t kWeights = 1200ULL << 20;
  const auto path = std::filesystem::temp_directory_path() / ("torch-job-" + std::to_string(::getpid()));
  std::ofstream(path) << protocol::to_json(one);
  auto chosen = settings();
  chosen.resident_limit = std::uint64_t{1} << 30;
  RunnerProcess with(chosen), without(chosen);
  EXPECT_EQ(told(with.load(path, kLimit, kWeights)), "ok");
  EXPECT_EQ(told(without.load(path, kLimit)), "stopped at its limit of memory") << "of a task that has none";
  std::filesystem::remove(path);
}

TEST_F(PythonRunner, AWriteIntoAnInputShowsInTheSharedMemory) {
  ready(model("    def forward(self, x, y):\n        return x.add_(y)\n"));
  ASSERT_EQ(call(), "ok");
  EXPECT_EQ(at(0, 0)[3], 5);
  EXPECT_EQ(at(0, 2)[3], 5) << "an output that is an input is copied";
}

TEST_F(PythonRunner, AnOutputOfAnotherShapeDtypeOrKindIsACallError) {
  ready(
      model("    def forward(self, x, y):\n"
            "        case = int(y[0])\n"
            "        if case == 0: return x.reshape(1031, 1)\n"
            "        if case == 1: return x.double()\n"
            "        if case == 2: return 3.5\n"
            "        if case == 3: return x, y\n"
            "        if case == 4: return nn.Parameter(x)\n"
            "        if case == 5: return [x + 1]\n"
            "        if case == 6: return x.to_sparse()\n"
            "        raise ValueError('no case ' + str(case))\n"));
  const std::array wanted = {
      "call: forward returned [1031, 1] float32 as output 0; [1031] float32 is wanted",
      "call: forward returned [1031] float64 as output 0; [1031] float32 is wanted",
      "call: forward returned a float as output 0; [1031] float32 is wanted",
      "call: forward returned 2 outputs; 1 are wanted",
      "call: forward returned a Parameter, a subclass of torch.Tensor, as output 0; return a plain "
      "torch.Tensor, "
      "computed when forward returns",
      "ok",
      "call: forward returned a tensor of the layout torch.sparse_coo as output 0; a strided one is wanted",
      "call: ValueError: no case 7 (line 14 of answer.py)"};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    at(0, 1)[0] = static_cast<float>(i);
    EXPECT_EQ(call(), wanted[i]);
  }
}

TEST_F(PythonRunner, WhatTorchComputesWithWorksUnderTheLockdown) {
  ready(model(
      "    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv1d(1, 4, 3, "
      "padding=1)\n"
      "        self.norm = nn.BatchNorm1d(4)\n        self.attend = nn.MultiheadAttention(4, 2, "
      "batch_first=True)\n"
      "        self.cell = nn.LSTM(4, 4, batch_first=True)\n        self.end = nn.Linear(4, 1)\n"
      "    def forward(self, x, y):\n"
      "        h = torch.relu(self.norm(self.conv(x.view(1, 1, -1)))).transpose(1, 2)\n"
      "        h = h + self.attend(h, h, h)[0]\n"
      "        h = nn.functional.layer_norm(self.cell(h)[0], (4,))\n"
      "        h = torch.fft.ifft(torch.fft.fft(self.end(h).view(-1))).real\n"
      "        h = h + torch.einsum('ij,j->i', torch.linalg.qr(torch.randn(4, 4))[0], torch.ones(4)).sum()\n"
      "        import xml.dom.minidom\n"
      "        return h.bfloat16().float() + nn.functional.gelu(x).sort()[0] * 0\n"));
  EXPECT_EQ(call(0, kSlots), "ok");
}

TEST_F(PythonRunner, TorchKnowsTheProcessorAndKeepsToOneThread) {
  ready(
      model("    def forward(self, x, y):\n"
            "        y = torch.tensor([torch.get_num_threads(), torch.backends.cpu.get_cpu_capability() != "
            "'DEFAULT'])\n"
            "        return torch.cat([y.float(), x[2:]])\n"));
  ASSERT_EQ(call(), "ok");
  EXPECT_EQ(at(0, 2)[0], 1);
#if defined(__x86_64__)
  EXPECT_EQ(at(0, 2)[1] != 0, __builtin_cpu_supports("avx2") != 0);
#endif
}

TEST_F(PythonRunner, AnExceptionOfTheConstructorIsALoadErrorWithItsLine) {
  EXPECT_EQ(told(load(job(model("    def __init__(self):\n        super().__init__()\n        raise "
                                "ValueError('no such size')\n")))),
            "load: ValueError: no such size (line 7 of answer.py)");
  EXPECT_EQ(told(runner_.map(arena_, kLimit)), "ok") << "it still listens";
}

TEST_F(PythonRunner, ASourceThatDoesNotParseIsALoadErrorWithItsLine) {
  EXPECT_EQ(told(load(job("import torch\nclass ModelNew(torch.nn.Module)\n    pass\n"))),
            "load: SyntaxError: expected ':' (line 2 of answer.py)");
}

TEST_F(PythonRunner, ASourceWithoutTheClassHasNoEntryPoint) {
  EXPECT_EQ(told(load(job("import torch\nclass Model(torch.nn.Module):\n    pass\n"))),
            "no entry: answer.py defines no class ModelNew; the answer is a class ModelNew(torch.nn.Module)");
}

TEST_F(PythonRunner, AConstructorWithoutAnEndMeetsTheLimit) {
  EXPECT_EQ(told(load(job(model("    def __init__(self):\n        while True: pass\n")), 1.0)), "hung");
}

}  // namespace
}  // namespace ridgeline::judge
