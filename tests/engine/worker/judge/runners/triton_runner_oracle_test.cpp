// Triton's kernels in an interpreter that is a real runner in its real sandbox, on a CPU.
#include <gmock/gmock.h>

#include "tests/engine/worker/judge/python_bed.hpp"

namespace ridgeline::judge {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class PythonRunnerInterprets : public PythonBed {
 protected:
  void SetUp() override {
    ASSERT_NE(toolchain().triton_version, "")
        << languages::no_triton(toolchain()) << "; `./dev test` makes a Python that has it";
  }

  /// The sum of both vectors, `value` being what the kernel stores.
  static protocol::TorchJob adds(const std::string& value, const std::string& decorator = "") {
    auto one = job("import sys\nimport torch\nimport triton\nimport triton.language as tl\n" + decorator +
                   "@triton.jit\n"
                   "def add(x, y, z, n, B: tl.constexpr):\n"
                   "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
                   "    a = tl.load(x + i, mask=i < n)\n"
                   "    b = tl.load(y + i, mask=i < n)\n"
                   "    tl.store(z + i, " +
                   value +
                   ", mask=i < n)\n"
                   "class ModelNew(torch.nn.Module):\n"
                   "    def forward(self, x, y):\n        z = torch.empty_like(x)\n"
                   "        add[lambda meta: (triton.cdiv(x.numel(), meta['B']),)](x, y, z, x.numel()" +
                   (decorator.empty() ? ", B=256" : "") + ")\n        return z\n");
    one.triton = true;
    return one;
  }
};

TEST_F(PythonRunnerInterprets, AKernelUnderTheLockdown) {
  ready(adds("a + b"));
  ASSERT_EQ(call(0, kSlots), "ok");
  EXPECT_EQ(at(0, 2)[1030], 1032);
  EXPECT_EQ(at(2, 2)[3], 5);
}

TEST_F(PythonRunnerInterprets, ProductsOfMatrices) {
  const std::string matrix = "tl.load(x + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :])";
  ready(adds("a + b + 0 * tl.sum(tl.sum(tl.dot(" + matrix + ", tl.trans(" + matrix + ")), 1), 0)"));
  ASSERT_EQ(call(0, kSlots), "ok");
  EXPECT_EQ(at(2, 2)[3], 5);
}

TEST_F(PythonRunnerInterprets, TheFirstConfigurationOfAutotune) {
  for (const char* more : {"", ", warmup=1, rep=1"}) {
    runner_.finish();
    RunnerProcess runner(settings());
    const auto path = std::filesystem::temp_directory_path() / ("triton-job-" + std::to_string(::getpid()));
    const auto configurations =
        std::string("@triton.autotune([triton.Config({'B': 64}), triton.Config({'B': 128})], key=['n']") +
        more + ")\n";
    std::ofstream(path) << protocol::to_json(adds("a + b + B", configurations));
    ASSERT_EQ(told(runner.load(path, kLimit)), "ok");
    std::filesystem::remove(path);
    ASSERT_EQ(told(runner.map(arena_, kLimit)), "ok");
    ASSERT_EQ(told(runner.arrange(arena_, kSlots, task_, case_, kLimit)), "ok");
    fill();
    ASSERT_EQ(told(runner.call(0, 1, kLimit).answer), "ok") << more;
    EXPECT_EQ(at(0, 2)[3], 5 + 64);
  }
}

TEST_F(PythonRunnerInterprets, WhatAKernelRaisesIsToldWithTheKernelsLine) {
  ready(adds("a + tl.arange(0, 2)"));
  EXPECT_THAT(call(), testing::AllOf(StartsWith("call: ValueError: "), HasSubstr("(line 10 of answer.py)")));
}

TEST_F(PythonRunnerInterprets, AnAddressOutsideOfEveryTensorIsACrash) {
  ready(adds("tl.load(x + i.to(tl.int64) * 1000000000)"));
  EXPECT_THAT(call(), HasSubstr("SIGSEGV"));
}

TEST_F(PythonRunnerInterprets, NothingWhereNothingWantsIt) {
  ready(
      model("    def forward(self, x, y):\n        assert 'triton' not in sys.modules\n        return x\n"));
  EXPECT_EQ(call(), "ok");
}

}  // namespace
}  // namespace ridgeline::judge
