// Answers whose kernels triton compiles for a GPU, built where there is none: what travels with the job, and
// that a runner will find it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/worker/languages/torch_answer/torch_builder.hpp"
#include "engine/worker/protocol/torch_artefact.hpp"
#include "engine/worker/runner/python/start.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::torch_answer {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A kernel of two configurations and one of one, with weights and a normalisation of torch between them.
std::string answer(const std::string& value = "a * b", const std::string& before = "") {
  return "import torch\nimport triton\nimport triton.language as tl\n"
         "@triton.jit\n"
         "def twice(x):\n    return x + x\n"
         "@triton.autotune([triton.Config({'B': 64}, num_warps=2), triton.Config({'B': 128})], key=['n'])\n"
         "@triton.jit\n"
         "def product(x, y, z, n, B: tl.constexpr):\n"
         "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
         "    a = tl.load(x + i, mask=i < n)\n"
         "    b = tl.load(y + i, mask=i < n)\n"
         "    tl.store(z + i, twice(" +
         value +
         "), mask=i < n)\n"
         "@triton.jit\n"
         "def squares(x, y, n, B: tl.constexpr):\n"
         "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
         "    v = tl.load(x + i, mask=i < n)\n"
         "    tl.store(y + i, tl.dot(tl.reshape(v, (16, 16)), tl.reshape(v, (16, 16))).reshape((B,)), mask=i "
         "< n)\n"
         "class ModelNew(torch.nn.Module):\n"
         "    def __init__(self, width):\n        super().__init__()\n"
         "        self.weight = torch.nn.Parameter(torch.ones(4, width))\n"
         "        self.norm = torch.nn.BatchNorm1d(width)\n"
         "    def forward(self, x):\n        assert x.is_cuda and torch.cuda.is_available()\n" +
         before +
         "        n = x.numel()\n        y = torch.empty_like(x)\n"
         "        with torch.cuda.device(x.device):\n"
         "            product[lambda meta: (triton.cdiv(n, meta['B']),)](x, self.weight, y, n)\n"
         "        y = self.norm(y)\n        z = torch.empty_like(y)\n"
         "        squares[(triton.cdiv(n, 256),)](y, z, n, B=256)\n        return z\n";
}

class OracleCompilesKernels : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "kernels-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    isolation_ = sandbox::best_level(sandbox::probe_isolation());
    const auto host = languages::find_toolchain(isolation_);
    const auto found = languages::ask_python(RIDGELINE_PYTHON);
    ASSERT_TRUE(host && std::holds_alternative<languages::PythonToolchain>(found));
    python_ = std::get<languages::PythonToolchain>(found);
    ASSERT_NE(python_.triton_version, "")
        << languages::no_triton(python_) << "; `./dev test` makes a Python that has it";
    const languages::BuildSettings settings{folder_ / "cache", isolation_,
                                            torch_extension::default_extension_limits()};
    builder_ = std::make_unique<TorchBuilder>(
        python_, settings,
        ModuleTools{torch_extension::ExtensionBuilder(*host, settings), library(), "not in this test"});
  }
  void TearDown() override {
    builder_.reset();
    fs::remove_all(folder_);
  }

  static fs::path library() { return RIDGELINE_BIN_DIR "/libridgeline-python-runner.so"; }

  languages::BuildResult build(const std::string& source) {
    Task task;
    task.name = "answered";
    task.cases.emplace_back().backend = "cuda";
    task.module = Module{.file = "level1/1_x", .init_arguments = "[256]", .init_named = "{}"};
    const auto tensor = [](const char* name, Role role) {
      Tensor one;
      one.name = name;
      one.role = role;
      one.shape = {Expression::parse("4"), Expression::parse("256")};
      return one;
    };
    task.parameters = {tensor("x", Role::in), tensor("z", Role::out)};
    return builder_->build(task, make_candidate(Language::triton, source));
  }
  languages::BuildArtefact built(const std::string& source) {
    auto result = build(source);
    if (const auto* failure = std::get_if<languages::BuildFailure>(&result))
      throw std::runtime_error(failure->detail + "\n" + failure->log);
    return std::get<languages::BuildArtefact>(std::move(result));
  }

  /// As a runner's inbox has it.
  fs::path unpacked(const languages::BuildArtefact& artefact) {
    const auto inbox = folder_ / "inbox";
    fs::remove_all(inbox);
    fs::create_directory(inbox);
    protocol::unpack_torch_artefact(artefact.library, inbox / "job.json");
    return inbox;
  }
  static std::size_t count(const fs::path& folder, const std::string& end) {
    if (!fs::exists(folder)) return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(fs::directory_iterator(folder),
                              [&](const auto& file) { return file.path().string().ends_with(end); }));
  }
  /// Returns what forward ends with on a card that is not there, where nothing may be written or compiled and
  /// no other program be started: what it launches is all in `inbox`, or it is reported as missing.
  json looked_up(const fs::path& inbox, const std::string& source = "", const json& cases = nullptr) {
    auto job = json::parse(std::ifstream(inbox / "job.json"));
    job["device"] = "cuda";
    job["architecture"] = 90;
    if (!source.empty()) job["source"] = source;
    if (!cases.is_null()) job["cases"] = cases;
    std::ofstream(inbox / "look.json") << job;
    const auto out = folder_ / "out";
    fs::create_directories(out);
    sandbox::Policy policy;
    policy.isolated(isolation_).with_profile(sandbox::SeccompProfile::compiler).system_libraries();
    policy.execute(python_.program).read(library().string()).read(inbox.string()).write(out.string());
    for (const auto& folder : python_.folders) policy.add({.path = folder, .optional = true});
    policy.env("HOME", "/").env("TORCHINDUCTOR_CACHE_DIR", "/").env("OMP_NUM_THREADS", "1");
    const auto exit = sandbox::spawn(policy, {python_.program, "-I", "-B", "-c", runner::python::kStart,
                                              library().string(), runner::python::kAhead, inbox / "look.json",
                                              inbox / "kernels", out / "told.json", "90", "look"})
                          .wait();
    EXPECT_TRUE(exit.ok()) << exit.err;
    return json::parse(std::ifstream(out / "told.json"), nullptr, false);
  }

  fs::path folder_;
  sandbox::Isolation isolation_ = sandbox::Isolation::strict;
  languages::PythonToolchain python_;
  std::unique_ptr<TorchBuilder> builder_;
};

TEST_F(OracleCompilesKernels, EveryConfigurationTravelsWithTheJobAndIsFound) {
  const auto artefact = built(answer());
  EXPECT_THAT(artefact.note, StartsWith("3 kernels of triton; "));
  const auto inbox = unpacked(artefact);
  EXPECT_EQ(count(inbox / "kernels", ".cubin"), 3u);
  EXPECT_EQ(count(inbox / "kernels", ".ptx"), 0u);
  EXPECT_EQ(looked_up(inbox).at("end"), "done");
  EXPECT_TRUE(built(answer()).cached);
  const auto other = looked_up(inbox, answer("a - b"));
  EXPECT_EQ(other.at("end"), "raised") << "a kernel that was not compiled";
  EXPECT_THAT(std::string(other.at("words")), HasSubstr("NotCompiled: product was not compiled"));
}

TEST_F(OracleCompilesKernels, AKernelOfANativeTaskIsCompiledForTheSizesOfEachCase) {
  Task task;
  task.name = "scale";
  task.sizes = {"N"};
  Tensor x{.name = "x", .shape = {Expression::parse("N")}};
  Tensor y{.name = "y", .role = Role::out, .shape = {Expression::parse("N")}};
  task.parameters = {x, y, Scalar{"factor", ScalarType::float64, Expression::parse("1 / N")}};
  for (const std::int64_t size : {1, 1021, 1024, 2048}) {
    task.cases.push_back({.name = "c" + std::to_string(size), .sizes = {{"N", size}}, .backend = "cuda"});
  }
  const std::string source =
      "import triton\nimport triton.language as tl\n"
      "@triton.jit\n"
      "def scale(x, y, n, factor, B: tl.constexpr):\n"
      "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
      "    tl.store(y + i, factor * tl.load(x + i, mask=i < n), mask=i < n)\n"
      "def kernel_scale(x, y, N, factor):\n"
      "    assert x.is_cuda and x.shape == (N,) and isinstance(factor, float)\n"
      "    scale[(triton.cdiv(N, 256),)](x, y, N, factor, B=256)\n";
  const auto result = builder_->build(task, make_candidate(Language::triton, source));
  const auto* artefact = std::get_if<languages::BuildArtefact>(&result);
  ASSERT_TRUE(artefact) << std::get<languages::BuildFailure>(result).detail;
  EXPECT_THAT(artefact->note, StartsWith("3 kernels of triton; ")) << "sizes of 1, of 16s, and others";
  EXPECT_THAT(artefact->note, Not(HasSubstr("not followed")));
  const auto inbox = unpacked(*artefact);
  json cases = json::array();
  for (const auto& one : task.cases) cases.push_back(json::parse(protocol::arranged_values(task, one)));
  EXPECT_EQ(looked_up(inbox, "", cases).at("end"), "done");
  cases.push_back({{"sizes", {1 << 20}}, {"floats", {1.0}}, {"integers", json::array()}});
  EXPECT_EQ(looked_up(inbox, "", cases).at("end"), "done") << "another size of 16s";
}

TEST_F(OracleCompilesKernels, CodeIsForTheCardThatIsMeant) {
  const auto inbox = unpacked(built(answer()));
  for (const auto& file : fs::directory_iterator(inbox / "kernels")) {
    if (file.path().extension() == ".json") {
      EXPECT_EQ(json::parse(std::ifstream(file.path())).at("target").at("arch"), 90);
    } else if (file.path().extension() == ".cubin") {
      std::string head(4, ' ');
      std::ifstream(file.path()).read(head.data(), 4);
      EXPECT_EQ(head,
                "\x7f"
                "ELF");
    }
  }
}

TEST_F(OracleCompilesKernels, TorchsOwnLayersAreFollowedWithoutACard) {
  const auto artefact = built(answer(
      "a * b",
      "        import torch.nn.functional as F\n"
      "        h = F.conv2d(x.new_zeros(2, 3, 8, 8), torch.ones(4, 3, 3, 3, device='cuda'), padding=1)\n"
      "        h = F.max_pool2d(F.group_norm(h, 2), 2).permute(0, 2, 3, 1).contiguous().half().to('cuda')\n"
      "        q = torch.randn(2, 5, 16, device=x.device)\n"
      "        q = F.scaled_dot_product_attention(q, q, q)[0][1:].cumsum(0)\n"
      "        x = (x.cuda().t().contiguous().t() + q.mean() + h.float().mean()).contiguous()\n"));
  EXPECT_THAT(artefact.note, StartsWith("3 kernels of triton; "));
  EXPECT_THAT(artefact.note, testing::Not(HasSubstr("not followed")));
}

TEST_F(OracleCompilesKernels, ACompileErrorIsTritonsWordsOnTheAnswersLine) {
  for (const auto& [wrong, words] : {std::pair{"a * unknown", "unknown is not defined"},
                                     {"a + tl.arange(0, 2)", "Cannot make_shape_compatible"}}) {
    const auto result = build(answer(wrong));
    ASSERT_TRUE(std::holds_alternative<languages::BuildFailure>(result)) << wrong;
    const auto& failure = std::get<languages::BuildFailure>(result);
    EXPECT_EQ(failure.reason, Reason::compile_error);
    EXPECT_THAT(failure.detail, StartsWith("answer.py:13: error: "));
    EXPECT_THAT(failure.detail, HasSubstr(words));
    EXPECT_THAT(failure.log, HasSubstr("tl.store(z + i, twice("));
  }
}

TEST_F(OracleCompilesKernels, AForwardThatWantsValuesIsFollowedAsFarAsItGoes) {
  const auto artefact = built(answer("a * b", "        if float(x.sum()) > 0: x = x + 1\n"));
  EXPECT_THAT(artefact.note, HasSubstr("0 kernels of triton"));
  EXPECT_THAT(artefact.note, HasSubstr("forward was not followed to its end: "));
  EXPECT_THAT(artefact.note, HasSubstr("(at forward)"));
}

TEST_F(OracleCompilesKernels, OnesThatEndAreLeftToTheRunner) {
  for (const char* end :
       {"        import os; os._exit(0)\n", "        import ctypes; ctypes.string_at(16)\n"}) {
    const auto artefact = built(answer("a * b", end));
    EXPECT_THAT(artefact.note, HasSubstr("it ended while its kernels were compiled")) << end;
  }
}

TEST_F(OracleCompilesKernels, AnInterpreterThatWaitedHasNothingOfTheAnswerBefore) {
  EXPECT_THAT(built(answer()).note, StartsWith("3 kernels of triton; "));
  const auto second = built(answer("a - b"));
  EXPECT_THAT(second.note, StartsWith("3 kernels of triton; "));
  const auto inbox = unpacked(second);
  EXPECT_EQ(count(inbox / "kernels", ".cubin"), 3u);
  EXPECT_EQ(looked_up(inbox).at("end"), "done");
  EXPECT_EQ(looked_up(inbox, answer()).at("end"), "raised") << "the first one's kernel";
}

TEST_F(OracleCompilesKernels, TheNextInterpreterWaitsInAFolderThatGoesWithIt) {
  const auto folders = [&] {
    return std::ranges::count_if(fs::directory_iterator(folder_ / "cache"), [](const auto& entry) {
      return entry.path().filename().string().starts_with("scratch-");
    });
  };
  built(answer());
  EXPECT_EQ(folders(), 1) << "of the one that waits";
  for (const auto& entry : fs::directory_iterator(folder_ / "cache"))
    if (entry.is_directory()) fs::remove_all(entry.path());
  EXPECT_THAT(built(answer("a - b")).note, StartsWith("3 kernels of triton; ")) << "by a fresh one";
  EXPECT_EQ(folders(), 1);
  builder_->wind_down();
  EXPECT_EQ(folders(), 0);
  EXPECT_THAT(built(answer("a + b")).note, StartsWith("3 kernels of triton; "));
  EXPECT_EQ(folders(), 0) << "nothing waits any more";
}

TEST_F(OracleCompilesKernels, AnInterpreterThatDoesNotComeAsFarAsTheAnswerIsTheMachines) {
  auto broken = python_;
  broken.program = "/bin/true";  // ends at once, as one that finds no torch does
  TritonCompiler compiler({.python = broken,
                           .host = *languages::find_toolchain(isolation_),
                           .library = library(),
                           .isolation = isolation_,
                           .scratch = folder_ / "cache"});
  try {
    static_cast<void>(compiler.compile("{}", "answer.py"));
    FAIL() << "no answer was read";
  } catch (const MachineCannot& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not come as far as the answer"));
    EXPECT_THAT(error.what(), HasSubstr("fix: see that /bin/true imports torch"));
  }
}

TEST_F(OracleCompilesKernels, LinksThatAnAnswerLeavesAreNotFollowed) {
  const auto artefact =
      built(answer("a * b",
                   "        import os\n        from ridgeline_runner.kernels import Folder\n"
                   "        os.symlink('/etc/passwd', Folder.place + '/a.json')\n"
                   "        os.mkdir(Folder.place + '/b.json')\n"));
  const auto inbox = unpacked(artefact);
  EXPECT_FALSE(fs::exists(fs::symlink_status(inbox / "kernels/a.json")));
  EXPECT_FALSE(fs::exists(inbox / "kernels/b.json"));
  EXPECT_EQ(count(inbox / "kernels", ".cubin"), 3u);
}

}  // namespace
}  // namespace ridgeline::torch_answer
