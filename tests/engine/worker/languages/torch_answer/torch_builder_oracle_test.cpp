// Answers through the whole build stage, with a real interpreter and a real compiler in their sandboxes. C++
// alone.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../languages_test.hpp"
#include "engine/core/candidate.hpp"
#include "engine/core/error.hpp"
#include "engine/worker/languages/torch_answer/torch_builder.hpp"
#include "engine/worker/protocol/torch_artefact.hpp"

namespace ridgeline::torch_answer {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

constexpr const char* kTwice =
    "#include <torch/extension.h>\ntorch::Tensor twice(torch::Tensor x) { return x * 2.0; }\n";

/// An answer that says `before` at its top level and `init` in its constructor.
std::string answer(const std::string& before, const std::string& init = "pass") {
  return "import torch\nfrom torch.utils.cpp_extension import load_inline\nTWICE = '''" +
         std::string(kTwice) + "'''\n" + before +
         "\nclass ModelNew(torch.nn.Module):\n    def __init__(self, width):\n" +
         "        super().__init__()\n        " + init + "\n    def forward(self, x):\n        return x\n";
}

class OracleBuildsAnswers : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = fs::temp_directory_path() / "answers-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    isolation_ = sandbox::best_level(sandbox::probe_isolation());
    const auto host = languages::find_toolchain(isolation_);
    const auto found = languages::ask_python(RIDGELINE_PYTHON);
    ASSERT_TRUE(host && std::holds_alternative<languages::PythonToolchain>(found));
    python_ = std::get<languages::PythonToolchain>(found);
    const languages::BuildSettings settings{folder_ / "cache", isolation_,
                                            torch_extension::default_extension_limits()};
    builder_ = std::make_unique<TorchBuilder>(
        python_, settings,
        ModuleTools{torch_extension::ExtensionBuilder(*host, settings), library(), "not in this test"});
  }
  static void TearDownTestSuite() {
    builder_.reset();
    fs::remove_all(folder_);
  }

  static fs::path library() { return RIDGELINE_BIN_DIR "/libridgeline-python-runner.so"; }

  static Task task(const std::string& device) {
    Task task;
    task.name = "answered";
    task.cases.emplace_back().backend = device;
    task.module = Module{.file = "level1/1_x", .init_arguments = "[3]", .init_named = "{}"};
    return task;
  }
  static languages::BuildResult build(const std::string& source, const std::string& device = "cpu") {
    return builder_->build(task(device), make_candidate(Language::torch, source));
  }
  static languages::BuildArtefact built(const std::string& source, const std::string& device = "cpu") {
    auto result = build(source, device);
    if (const auto* failure = std::get_if<languages::BuildFailure>(&result))
      throw std::runtime_error(failure->detail + "\n" + failure->log);
    return std::get<languages::BuildArtefact>(std::move(result));
  }
  static languages::BuildFailure failed(const std::string& source) {
    auto result = build(source);
    if (!std::holds_alternative<languages::BuildFailure>(result)) throw std::runtime_error("it was built");
    return std::get<languages::BuildFailure>(std::move(result));
  }
  /// How many modules the artefact holds.
  static std::size_t modules_in(const languages::BuildArtefact& artefact) {
    const fs::path unpacked = folder_ / "unpacked";
    fs::remove_all(unpacked);
    fs::create_directory(unpacked);
    protocol::unpack_torch_artefact(artefact.library, unpacked / "job.json");
    std::size_t count = 0;
    for (const auto& file : fs::directory_iterator(unpacked)) count += file.path().extension() == ".so";
    const auto job = nlohmann::json::parse(std::ifstream(unpacked / "job.json"));
    EXPECT_EQ(job.value("modules", nlohmann::json::array()).size(), count);
    return count;
  }

  static inline fs::path folder_;
  static inline sandbox::Isolation isolation_;
  static inline languages::PythonToolchain python_;
  static inline std::unique_ptr<TorchBuilder> builder_;
};

const std::string kMake = "made = load_inline(name='made', cpp_sources=TWICE, functions=['twice'])";

TEST_F(OracleBuildsAnswers, AModuleOfTheTopLevelTravelsWithTheJob) {
  const auto first = built(answer(kMake));
  EXPECT_EQ(modules_in(first), 1u);
  EXPECT_THAT(first.note, HasSubstr("1 module: 1 with slim headers"));
  EXPECT_TRUE(built(answer(kMake)).cached);
  EXPECT_THAT(built(answer(kMake + "\n# new")).note, HasSubstr("1 from the cache"));
}

TEST_F(OracleBuildsAnswers, TheRunnerLearnsOfTritonAndItsLackIsTheMachines) {
  const std::string source = "import torch\nimport triton\nclass ModelNew(torch.nn.Module): pass\n";
  for (const auto language : {Language::triton, Language::torch}) {
    const auto candidate = make_candidate(language, source);
    const auto result = builder_->build(task("cpu"), candidate);
    std::string line;
    std::ifstream file(std::get<languages::BuildArtefact>(result).library);
    ASSERT_TRUE(std::getline(file, line));
    EXPECT_EQ(nlohmann::json::parse(line).value("triton", false), true);
    auto bare = python_;
    bare.triton_version.clear();
    const TorchBuilder other(bare,
                             {folder_ / "cache", isolation_, torch_extension::default_extension_limits()});
    const auto failure = std::get<languages::BuildFailure>(other.build(task("cpu"), candidate));
    EXPECT_EQ(failure.reason, Reason::compiler_missing);
    EXPECT_THAT(failure.detail, HasSubstr("has no triton; fix: "));
  }
}

TEST_F(OracleBuildsAnswers, AnAnswerThatWasRecordedInPartIsRecordedAgain) {
  const auto dies = answer(kMake + "\nimport os; os._exit(1)");
  EXPECT_FALSE(built(dies).cached);
  EXPECT_FALSE(built(dies).cached);
}

TEST_F(OracleBuildsAnswers, AnotherRecorderMakesAnotherArtefact) {
  const auto copied = folder_ / "runner.so";
  fs::copy_file(library(), copied);
  std::ofstream(copied, std::ios::app) << "another build of it";
  const auto host = languages::find_toolchain(isolation_);
  const languages::BuildSettings settings{folder_ / "cache", isolation_,
                                          torch_extension::default_extension_limits()};
  const TorchBuilder other(
      python_, settings,
      ModuleTools{torch_extension::ExtensionBuilder(*host, settings), copied, "not in this test"});
  built(answer(kMake));
  const auto result = other.build(task("cpu"), make_candidate(Language::torch, answer(kMake)));
  EXPECT_FALSE(std::get<languages::BuildArtefact>(result).cached);
}

TEST_F(OracleBuildsAnswers, AnAnswerThatOnlySpeaksOfItHasNone) {
  const auto artefact = built(answer("pass"));
  EXPECT_EQ(modules_in(artefact), 0u);
  EXPECT_EQ(artefact.note, "asks for no module");
}

TEST_F(OracleBuildsAnswers, ConstructorsAreRunWithTheTasksArguments) {
  EXPECT_EQ(modules_in(built(answer("", "self.made = load_inline('w%d' % width, TWICE, functions='twice')"))),
            1u);
}

TEST_F(OracleBuildsAnswers, OnesThatLoadWhenTheyAreFirstCalledAreCalled) {
  const std::string lazy =
      "import torch\nfrom torch.utils.cpp_extension import load_inline\n"
      "class ModelNew(torch.nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
      "        self.w = torch.nn.Linear(width, width)\n        assert self.w.weight.sum().item() is not "
      "None\n"
      "    def forward(self):\n        if not hasattr(self, 'made'):\n"
      "            self.made = load_inline('made', 'int i;', functions=[])\n        return "
      "self.made.twice(self.w.weight)\n";
  EXPECT_EQ(modules_in(built(lazy)), 0u) << "it wants values, and so is only constructed";
  EXPECT_EQ(modules_in(built(lazy.substr(0, lazy.find("        assert")) +
                             lazy.substr(lazy.find("    def forward")))),
            1u);
}

TEST_F(OracleBuildsAnswers, TheDeviceOfTheTaskIsThereToBeAskedFor) {
  const auto asks = answer("",
                           "if torch.cuda.is_available() and torch.ones(1).to('cuda').is_cuda: "
                           "self.w = torch.nn.Linear(3, 3).cuda(); "
                           "self.made = load_inline('made', 'int i;', functions=[])");
  EXPECT_EQ(modules_in(built(asks, "cuda")), 1u);
  EXPECT_EQ(modules_in(built(asks, "cpu")), 0u);
}

TEST_F(OracleBuildsAnswers, TwoModulesAndOneWithItsOwnBindings) {
  EXPECT_EQ(
      modules_in(built(answer(
          kMake + "\nOWN = TWICE + 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"twice\", &twice); }'\n"
                  "own = load_inline('own', [OWN], with_cuda=False)"))),
      2u);
}

TEST_F(OracleBuildsAnswers, OpenMPMayStandInTheFlagsOfCompilerAndLinker) {
  const auto artefact = built(answer(
      "OMP = '#include <omp.h>\\n' + TWICE.replace('2.0', '(2.0 / omp_get_num_threads())')\n"
      "load_inline(name='m', cpp_sources=[OMP], functions=['twice'], extra_cflags=['-O3', '-fopenmp'], "
      "extra_ldflags=['-fopenmp'])"));
  EXPECT_EQ(modules_in(artefact), 1u);
}

TEST_F(OracleBuildsAnswers, ACompilersWordsNameTheAnswersLines) {
  const auto failure =
      failed(answer("WRONG = '''\nint one = 1;\nint two = on;\n'''\nload_inline(name='wrong', "
                    "cpp_sources=WRONG, functions=[])"));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_THAT(failure.detail, HasSubstr("answer.py:8:"));
  EXPECT_THAT(failure.detail, HasSubstr("'on' was not declared"));
  EXPECT_THAT(failure.log, HasSubstr("8 | int two = on;"));
  EXPECT_THAT(failure.log, HasSubstr("torch's own were not tried: not in this test"));
  EXPECT_THAT(failure.log, Not(HasSubstr(folder_.string()))) << "no path of this machine";
}

TEST_F(OracleBuildsAnswers, AFailureThatTheAnswerCatchesIsNoFailure) {
  const auto artefact =
      built(answer("try:\n    made = load_inline(name='made', cpp_sources='no', functions=['twice'])\n"
                   "except RuntimeError:\n    " +
                   kMake));
  EXPECT_THAT(artefact.note, HasSubstr("1 not built, which the answer goes on without"));
  EXPECT_THAT(artefact.log, HasSubstr("error:")) << "the next prompt may want the compiler's words";
}

TEST_F(OracleBuildsAnswers, AForbiddenFlagIsReportedAsSuch) {
  const auto failure = failed(answer(
      "load_inline(name='made', cpp_sources=TWICE, functions=['twice'], extra_cflags=['-fplugin=./x.so'])"));
  EXPECT_EQ(failure.reason, Reason::forbidden_flag);
}

TEST_F(OracleBuildsAnswers, CudaWithoutItsCompilerIsTheMachinesLack) {
  EXPECT_EQ(failed(answer("load_inline(name='made', cpp_sources=TWICE, cuda_sources='//')")).reason,
            Reason::compiler_missing);
}

TEST_F(OracleBuildsAnswers, HowAnAnswerFailsOtherwiseIsForTheRunnerToSee) {
  for (const std::string& end :
       {std::string("raise ValueError('no')"), std::string("made.twice(torch.ones(3))"),
        std::string("import os; os._exit(0)"), std::string("import socket; socket.socket()"),
        std::string("open('/tmp/x', 'w')"), std::string("import ctypes; ctypes.string_at(8)"),
        std::string("import os; os.fork()"),
        std::string("import os, signal; os.kill(os.getppid(), signal.SIGKILL)")})
    EXPECT_EQ(modules_in(built(answer(kMake + "\n" + end))), 1u) << end;
  EXPECT_EQ(modules_in(built(answer(kMake))), 1u) << "and the interpreter goes on";
}

class OracleRecorder : public OracleBuildsAnswers {
 protected:
  static Recording record(Recorder& recorder, const std::string& source) {
    return recorder.record(nlohmann::json{{"class", "ModelNew"},
                                          {"source", source},
                                          {"name", "answer.py"},
                                          {"init", {{"arguments", {3}}, {"named", nlohmann::json::object()}}},
                                          {"seed", 42},
                                          {"device", "cpu"},
                                          {"tensors", nlohmann::json::array()},
                                          {"forward", nlohmann::json::array()},
                                          {"failed", nlohmann::json::object()}}
                               .dump());
  }
};

TEST_F(OracleRecorder, AnAnswerThatHangsIsStoppedWithWhatItAskedForAndTheNextIsServed) {
  Recorder recorder({.python = python_, .library = library(), .isolation = isolation_, .limit = 2});
  const auto hung =
      record(recorder, answer(kMake + "\nimport threading\nlock = threading.Lock()\nlock.acquire()\n"
                                      "lock.acquire()"));
  EXPECT_EQ(hung.end, Recording::End::died);
  EXPECT_THAT(hung.words, HasSubstr("within 2 s"));
  EXPECT_EQ(hung.asked.size(), 1u);
  const auto next = record(recorder, answer(kMake));
  EXPECT_EQ(next.end, Recording::End::done) << next.words;
}

TEST_F(OracleRecorder, AnExceptionIsReportedWithItsLine) {
  Recorder recorder({.python = python_, .library = library(), .isolation = isolation_});
  const auto raised = record(recorder, "import torch\nfrom torch.utils.cpp_extension import CUDAExtension\n");
  EXPECT_EQ(raised.end, Recording::End::raised);
  EXPECT_THAT(raised.words, HasSubstr("cannot import name 'CUDAExtension'"));
  EXPECT_THAT(raised.words, HasSubstr("(line 2 of answer.py)"));
}

TEST_F(OracleRecorder, AnInterpreterThatCannotStartIsTheMachinesLack) {
  Recorder recorder({.python = python_, .library = "/nowhere.so", .isolation = isolation_});
  EXPECT_THROW(record(recorder, ""), Error);
}

}  // namespace
}  // namespace ridgeline::torch_answer
