// Bytes that arrive from the other end of a pipe: cut into frames, decoded as each kind of message, encoded
// and decoded again. The only exception is ProtocolError, and what was decoded survives the way back.
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/protocol/frame.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "tests/fuzz/bytes.hpp"
#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/target.hpp"

namespace ridgeline::fuzz {
namespace {

using nlohmann::json;
using namespace protocol;

template <class Decode>
void decode_twice(const json& document, Decode&& decode) {
  try {
    const auto again = encode(decode(document));
    try {
      require(dump_json(encode(decode(json::parse(dump_json(again))))) == dump_json(again),
              "a message that was decoded is the same after another way");
    } catch (const ProtocolError&) {
      require(false, "a message that was decoded can be decoded again");
    }
  } catch (const ProtocolError&) {
  }
}

void decode_all(const json& document) {
  id_of(document);
  decode_twice(document, decode_to_worker);
  decode_twice(document, decode_from_worker);
  decode_twice(document, decode_to_judge);
  decode_twice(document, decode_from_judge);
}

void run_frames(std::string_view input) {
  Bytes bytes(input);
  const std::size_t piece = 1 + bytes.below(256);
  FrameReader reader;
  try {
    while (!bytes.empty()) {
      reader.feed(bytes.text(piece));
      while (const auto document = reader.next()) decode_all(*document);
      require(reader.lacking() > 0, "a reader without a document lacks bytes");
    }
  } catch (const ProtocolError&) {
  }
}

/// The document of the first frame is changed, and its length with it.
std::string mutate_frames(std::string_view input, std::size_t, unsigned seed) {
  constexpr std::size_t before = 5;  // how the input is cut, and the length
  if (input.size() < before) return "";
  const auto changed = mutate_json(input.substr(before), seed);
  if (changed.empty() || changed.front() != '{') return "";
  return std::string(1, input[0]) + encode_frame(json::parse(changed));
}

std::vector<std::string> seeds_of_frames() {
  Task task;
  task.name = "scale";
  task.sizes = {"n"};
  task.parameters = {Tensor{.name = "x", .shape = {Expression::parse("n")}},
                     Scalar{.name = "k", .value = Expression::parse("n + 1")}};
  task.cases = {{.name = "small", .sizes = {{"n", 4}}}};
  task.reference = "def reference(x):\n  return x * 2\n";
  task.hash = hash_of(task);
  const auto candidate = make_candidate(Language::cpp, "int x;");
  Verdict verdict;
  verdict.at(Stage::build) = {Status::failed, Reason::compile_error, "line 3", 0.5};
  verdict.timing =
      Timing{.cases = {{.case_name = "small", .cold = {.median = 1e-5, .samples = {1e-5, 2e-5}}}}};
  verdict.rooflines.push_back({.case_name = "small", .counters = {{"cycles", 3}}});
  verdict.launches.push_back({.case_name = "small", .kernel = "f"});
  verdict.mismatches.push_back({.case_name = "small", .first = {{{1}, 2, 3}}});
  verdict.call_failure = CallFailure{.case_name = "small", .signal = 11};
  verdict.resources.push_back({.kernel = "f"});
  Hello hello;
  hello.languages = {"cpp"};
  hello.devices = {{"NVIDIA H200", "cuda", 1, 1.5e11}};
  hello.toolchains = {{"g++", "12.2.0", "/usr/bin/g++", "cpp", {"-O3"}}};
  hello.ceilings = {Ceilings{.device = "cpu", .peaks = {{"fp32", 1e12}}, .levels = {{"L1"}}}};
  std::vector<std::string> seeds;
  const auto add = [&](const json& document) { seeds.push_back("\x40" + encode_frame(document)); };
  add(encode(ToWorker{Evaluate{"e", task, candidate, {}}}));
  add(encode(ToWorker{CheckTask{"c", task}}));
  add(encode(ToWorker{ExpectModules{"m", "cuda"}}));
  add(encode(ToWorker{Cancel{"e"}}));
  add(encode(ToWorker{Quit{}}));
  add(encode(FromWorker{hello}));
  add(encode(FromWorker{Evaluated{"e", verdict}}));
  add(encode(FromWorker{Checked{"c", {{"null test", false, "passed"}}}}));
  add(encode(FromWorker{Failed{"f", Failure::machine_cannot, "no g++"}}));
  add(encode(ToJudge{JudgeRequest{"j", task, "/a.so", candidate, {}}}));
  add(encode(ToJudge{Prepare{"p", task, candidate, {}}}));
  add(encode(FromJudge{Judged{"j", verdict}}));
  add(encode(FromJudge{Described{.id = "d", .devices = hello.devices, .ceilings = hello.ceilings}}));
  auto beyond = encode(FromJudge{Judged{"j", verdict}});  // once wrong: a number that no int64 holds
  beyond["verdict"]["mismatches"][0]["wrong"] = 1e300;
  add(beyond);
  seeds.push_back(std::string("\0\2\0\0\0{}\2\0\0\0{}", 13));  // two frames, byte by byte
  seeds.push_back("\x10Welcome to node 17!\n");                // a greeting
  seeds.push_back(std::string("\x10\xff\xff\xff\xff{", 6));    // a length that no frame has
  seeds.push_back(std::string("\x10\3\0\0\0{\"a", 8));         // no JSON
  return seeds;
}

}  // namespace

const Target frames{"frames", run_frames, seeds_of_frames, mutate_frames};

}  // namespace ridgeline::fuzz
