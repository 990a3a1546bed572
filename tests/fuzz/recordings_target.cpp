// Reads as a worker does what an answer in Python made of the process that records it: its modules' sources
// and flags, and its compiler's words. All of that is the answer's own, and the worker serves others too.
#include <nlohmann/json.hpp>

#include "engine/worker/languages/torch_answer/answer_lines.hpp"
#include "engine/worker/languages/torch_answer/recording.hpp"
#include "engine/worker/languages/torch_answer/triton_report.hpp"
#include "engine/worker/languages/torch_extension/extension_flags.hpp"
#include "engine/worker/languages/torch_extension/source_text.hpp"
#include "engine/worker/languages/torch_extension/torch_names.hpp"
#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/target.hpp"

namespace ridgeline::fuzz {
namespace {

using namespace torch_answer;

void read_source(std::string_view source) {
  require(torch_extension::without_comments_and_literals(source).size() == source.size(),
          "comments and literals are only overwritten");
  torch_extension::only_declares(source);
  torch_extension::exports_without_its_header(source);
  torch_extension::slim_prelude(source);
}

void read_log(std::string_view log, const AskedModule& asked) {
  torch_extension::missing_name(log);
  in_lines_of_answer(std::string(log), asked, "answer.py");
}

/// The first byte says which of them the rest is.
void run_recordings(std::string_view input) {
  Bytes bytes(input);
  const auto which = bytes.below(4);
  const std::string text(bytes.rest());
  AskedModule asked;
  asked.request.cpp_sources = {"int a;\nint b;", "int c;"};
  asked.cpp_lines = {3};
  if (which == 0) {
    const auto recording = read_recording(text);
    require(recording.asked.size() <= 32, "no more modules than are built");
    for (const auto& module : recording.asked) {
      for (const auto& source : module.request.cpp_sources) read_source(source);
      torch_extension::read_extension_flags(module.request);
      read_log("main.cpp:2:1: error: b\n    2 | x\ncuda.cu(4): error", module);
    }
  } else if (which == 1) {
    const auto report = read_triton_report(text, "answer.py");
    require(report.raised.size() < 10'000, "an answer's words are cut");
    require(!report.failure || report.failure->log.size() < 20'000, "a report is cut");
  } else if (which == 2) {
    read_source(text);
  } else {
    read_log(text, asked);
  }
}

std::string mutate_recording(std::string_view input, std::size_t, unsigned seed) {
  if (input.size() < 2 || static_cast<unsigned char>(input[0]) % 4 > 1) return "";
  const auto line = input.substr(1, input.find('\n') - 1);
  const auto changed = mutate_json(line, seed);
  return changed.empty() ? "" : input[0] + changed + std::string(input.substr(1 + line.size()));
}

std::vector<std::string> seeds_of_recordings() {
  const std::string request =
      R"({"key": "k", "request": {"form": "inlined", "name": "n", "cpp_sources": ["a", "b\nc"], "cuda_sources": [], )"
      R"("functions": [["f", "doc"]], "cflags": ["-O1"], "cuda_cflags": [], "ldflags": [], "with_cuda": true, )"
      R"("error_handling": false, "implicit_headers": true}, "lines": {"cpp_sources": [3, 2147483647], "cuda_sources": []}})";
  const std::string zero(1, '\0');
  std::vector<std::string> seeds = {
      zero + request + "\n" + R"({"end": "done"})",
      zero + R"({"end": "raised", "words": "ValueError"})",
      "\1"
      R"({"end": "complaint", "words": "no", "log": "answer.py:3", "line": 3})",
      "\1"
      R"({"end": "raised", "words": "no", "stage": "forward"})",
      "\1"
      R"({"end": "done"})",
      "\2// one\n#include <cuda_fp16.h>\nstd::vector<int> f() { return x.sizes().vec(); } /* half */ \"a\\\"",
      "\2using namespace std; PYBIND11_MODULE(a, m) { __nv_bfloat16 b; assert (b); }",
      "\3main.cpp:2:1: error: 'b' was not declared in this scope\n    2 | int b;\ncuda.cu(4): error",
      "\3main.cpp:999999:1: error\n999999 | x\n"};
  const auto with = [&](std::string_view part, const std::string& other) {
    auto text = request;
    return zero + text.replace(text.find(part), part.size(), other);
  };
  // Once wrong: a number that no line has, and a flag that a regular expression took the stack for.
  seeds.push_back(with("2147483647", "1e300"));
  seeds.push_back(
      "\1"
      R"({"end": "complaint", "words": "no", "log": "answer.py:3", "line": -1e300})");
  const std::string digits(60'000, '1');
  seeds.push_back(with(R"("cflags": ["-O1"])", R"("cflags": ["-I/usr)" + digits + "\"]"));
  seeds.push_back(with(R"("cuda_cflags": [])", R"("cuda_cflags": ["-Xcompiler=-Wno-)" + digits + "\"]"));
  seeds.push_back(with(R"("cuda_cflags": [])", R"("cuda_cflags": ["-D)" + digits + "\"]"));
  // Once wrong: a regular expression takes the stack for each character that it repeats.
  for (const char c : {' ', 'a', '\n'}) {
    const std::string many(200'000, c);
    for (const char which : {'\2', '\3'}) seeds.push_back(which + many);
    seeds.push_back("\2std::" + many + "#");
    seeds.push_back("\3main.cpp:2:1: error: '" + many + "\n    2 |" + many);
  }
  return seeds;
}

}  // namespace

const Target recordings{"recordings", run_recordings, seeds_of_recordings, mutate_recording};

}  // namespace ridgeline::fuzz
