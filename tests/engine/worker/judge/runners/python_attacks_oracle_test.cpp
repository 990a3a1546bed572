// Models that reach for what is not theirs: refused by the sandbox, or without effect on what the judge sees.
#include "tests/engine/worker/judge/python_bed.hpp"

namespace ridgeline::judge {
namespace {

class PythonAttack : public PythonBed {
 protected:
  static std::string refused(const std::string& call) {
    return "made a system call that is not allowed: " + call;
  }
};

TEST_F(PythonAttack, EndingTheProcessIsSeen) {
  EXPECT_EQ(end_of("os._exit(0)"), "exited with status 0");
}

TEST_F(PythonAttack, SysExitIsAnExceptionLikeOthers) {
  EXPECT_EQ(end_of("sys.exit(0)"), "call: SystemExit: 0 (line 6 of answer.py)");
}

TEST_F(PythonAttack, ACrashIsToldWithItsSignal) {
  EXPECT_EQ(end_of("ctypes.string_at(0)"), "ended by SIGSEGV (Segmentation fault), told");
}

TEST_F(PythonAttack, ForkIsRefused) {
  EXPECT_EQ(end_of("os.fork()"), refused("clone"));
}

TEST_F(PythonAttack, ExecIsRefused) {
  EXPECT_EQ(end_of("os.execv('/bin/true', ['true'])"), refused("execve"));
}

TEST_F(PythonAttack, SocketsAreRefused) {
  EXPECT_EQ(end_of("socket.socket()"), refused("socket"));
}

TEST_F(PythonAttack, ThreadsAreRefused) {
  const auto end = end_of("threading.Thread(target=print).start()");
  // The first thread of a process begins with a signal's handler.
  EXPECT_TRUE(end == refused("clone3") || end == refused("clone") || end == refused("rt_sigaction")) << end;
}

TEST_F(PythonAttack, AConstructorIsUnderTheLockdownToo) {
  EXPECT_EQ(told(load(job(model("    def __init__(self):\n        open('/tmp/left-behind', 'w')\n")))),
            refused("openat"));
}

TEST_F(PythonAttack, FilesOutsideAreNotThere) {
  const char* home = std::getenv("HOME");
  auto one = job(
      model("    def __init__(self, *paths):\n        super().__init__()\n        self.paths = paths\n"
            "    def readable(self, path):\n"
            "        try:\n"
            "            if os.path.isdir(path): return len(os.listdir(path))\n"
            "            return len(open(path).read())\n"
            "        except OSError:\n            return 0\n"
            "    def forward(self, x, y):\n        return x * 0 + sum(map(self.readable, self.paths))\n"));
  one.init_arguments = std::string("[\"") + RIDGELINE_SOURCE_DIR + "/README.md\", \"" + RIDGELINE_SOURCE_DIR +
                       "\", \"" + (home && std::string(home) != "/" ? home : "/root") +
                       "/.bashrc\", \"/etc/passwd\", \"/proc/self/environ\", \"/proc/1/maps\", \"/tmp\"]";
  ready(one);
  ASSERT_EQ(call(), "ok");
  EXPECT_EQ(at(0, 2)[0], 0);
}

TEST_F(PythonAttack, NothingOfTheJudgesEnvironmentIsThere) {
  ready(
      model("    def forward(self, x, y):\n        return x * 0 + sum('KEY' in name or 'TOKEN' in name or "
            "name == 'PATH' "
            "for name in os.environ)\n"));
  ASSERT_EQ(call(), "ok");
  EXPECT_EQ(at(0, 2)[0], 0);
}

TEST_F(PythonAttack, ALazyTensorIsRefused) {
  ready(
      "import torch\n"
      "class Lazy(torch.Tensor):\n"
      "    @classmethod\n"
      "    def __torch_function__(cls, function, types, args=(), kwargs=None):\n"
      "        return torch.zeros(1031)\n"
      "class ModelNew(torch.nn.Module):\n"
      "    def forward(self, x, y):\n        return x.as_subclass(Lazy)\n");
  EXPECT_EQ(
      call(),
      "call: forward returned a Lazy, a subclass of torch.Tensor, as output 0; return a plain torch.Tensor, "
      "computed when forward returns");
  EXPECT_EQ(at(0, 2)[0], -1);
}

TEST_F(PythonAttack, PatchesOfTorchDoNotReachTheBuffers) {
  ready(
      "import time, torch\n"
      "torch.Tensor.copy_ = lambda self, other, *rest: self.zero_()\n"
      "torch.Tensor.shape = property(lambda self: torch.Size([1031]))\n"
      "torch.Tensor.dtype = property(lambda self: torch.float32)\n"
      "torch.cuda.synchronize = lambda *rest: None\n"
      "torch.allclose = torch.equal = lambda *rest, **named: True\n"
      "time.perf_counter = time.time = time.monotonic = lambda: 0.0\n"
      "class ModelNew(torch.nn.Module):\n"
      "    def forward(self, x, y):\n        return x + y if y[0] == 2 else torch.zeros(3)\n");
  const auto batch = runner_.call(0, 1, kLimit);
  ASSERT_EQ(told(batch.answer), "ok");
  EXPECT_GT(batch.times.wall, 0);
  EXPECT_GT(batch.times.claimed, 0);
  EXPECT_EQ(at(0, 2)[30], 32);
  at(0, 1)[0] = 1;
  EXPECT_EQ(call(), "call: forward returned [3] float32 as output 0; [1031] float32 is wanted");
}

TEST_F(PythonAttack, AForgedReplyIsNotTheRunnersWord) {
  ready(model("    def forward(self, x, y):\n        os.write(3, b'ok')\n        return x\n"));
  EXPECT_EQ(call(), "forged or closed");
}

/// A model whose forward writes a whole reply (runner/wire.hpp) to the judge, with these seconds.
std::string reply_with_seconds(const std::string& seconds) {
  // Twelve empty batches, a load, a mapping and an arrangement came before the call.
  return "    def forward(self, x, y):\n"
         "        import struct\n"
         "        head = struct.pack('<IIiIQdQQ', 2, 16, 0, 0, 1, " +
         seconds +
         ", 0, 0)\n"
         "        os.write(3, head + bytes(120 * 8 + 1024))\n        return x + y\n";
}

TEST_F(PythonAttack, AReplyWhoseSecondsAreNoNumberIsForgedThoughItComesInTurn) {
  ready(model(reply_with_seconds("float('nan')")));
  EXPECT_EQ(call(), "forged or closed");
}

// Shows that nothing but its seconds made the reply above a forgery: the layout and the number are right.
TEST_F(PythonAttack, TheSameReplyWithANumberOfSecondsIsTaken) {
  ready(model(reply_with_seconds("0.0")));
  EXPECT_EQ(call(), "ok");
}

}  // namespace
}  // namespace ridgeline::judge
