// Defines the messages between engine and worker, and between agent and judge: typed here, JSON on the wire
// (docs/protocol.md).
//
// Every document has "protocol" and "type". Unknown keys are ignored and missing optional keys keep their
// default; an unknown type, a missing required key and a newer protocol are ProtocolErrors that say what to
// do. The sender of a request chooses its id: any text that is unique among its requests in flight. Answers
// come in any order.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/compile_mode.hpp"
#include "engine/core/fallback.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/protocol/frame.hpp"

namespace ridgeline::protocol {

/// Raised with every change that an older program would misread.
inline constexpr int version = 1;

/// A compiler that the worker builds with.
struct Toolchain {
  std::string name;                ///< "g++", "clang++", "nvcc", "triton"
  std::string version;             ///< what it prints of itself: "g++ (Debian 12.2.0-14+deb12u1) 12.2.0"
  std::string path;                ///< path of the program
  std::string language;            ///< what it builds: "cpp", "cuda"
  std::vector<std::string> flags;  ///< the flags used if a campaign names none
};

/// A CPU or GPU that candidates run on.
struct Device {
  std::string name;     ///< "AMD EPYC 7B13", "NVIDIA H200"
  std::string backend;  ///< "cpu" or "cuda"
  int index = 0;        ///< among the devices of its backend
  double memory_bytes = 0;
  std::string architecture = {};  ///< what nvcc builds for: "sm_90"; "" for a CPU, and where unknown
  std::string uuid = {};          ///< "GPU-…"; "" for a CPU, and where the driver does not say
  std::string bus_id = {};        ///< on the PCI bus, "0000:1b:00.0"; "" as above
};

/// The isolation that the machine offers between a candidate and everything else.
struct IsolationOffer {
  std::string level = "none";        ///< the strongest level it offers: "strict", "standard" or "none"
  std::string details;               ///< "user,pid,net,ipc,mount,uts namespaces; Landlock 7; seccomp"
  std::vector<std::string> missing;  ///< one line each: what a stronger level needs, and how to provide it
};

/// Whether hardware counters can be read.
struct Counters {
  bool readable = false;
  std::string why_not;  ///< the reason and how to fix it; "" if readable
};

// Engine to worker.

/// How a candidate is to be judged.
struct EvaluateSettings {
  std::string isolation = "standard";  ///< the weakest accepted level; a machine that offers less refuses
  bool time = true;                    ///< false: stop after correctness
  bool profile = true;                 ///< find the place on the roofline; read counters where possible
  double timing_cap_seconds = 0.06;    ///< of measuring, for each side (candidate, baseline) and case
  double call_limit_seconds = 10;      ///< wall time of one call before it counts as hung
  bool hidden_cases = true;            ///< judge the hidden cases too
  bool final_cases = false;            ///< judge the final cases too
  std::vector<std::string>
      build_flags;       ///< empty: the language's own; flags outside its allow-list are refused
  bool counters = true;  ///< read hardware counters after the verdict; false: analytic counts are used
  /// Compile an answer's inline C++ with torch's own headers if the slim stand-ins do not suffice. That
  /// takes up to a minute or two a module.
  bool torch_headers = true;
  bool energy = false;  ///< measure joules a call, where the device counts them; takes seconds a timed case
  FallbackPolicy fallback = FallbackPolicy::allow;  ///< for answers that call torch's own operators
  /// Judge the task's own module under torch.compile, in place of a candidate: for a baseline. Compiling may
  /// take minutes; nothing is counted, and no roofline is made.
  std::optional<CompileMode> torch_compile = {};
  /// Half of the 95 % interval of a candidate's time over that time, at which sampling stops; of a candidate
  /// slower than its baseline, half of its speed-up's interval. Absent: the judge's own rule, some 2 %. The
  /// cap holds all the same. On the wire only where it is present: hashes of settings from before it stay
  /// valid.
  std::optional<double> precision_goal = {};
  /// Read also the counters that no diagnosis and no prompt uses, in up to four passes more. On the wire
  /// only where it is set.
  bool all_counters = false;
};

/// Goals that a request may have.
inline constexpr double least_precision_goal = 0.001, most_precision_goal = 0.5;

/// Asks for a verdict; answered by Evaluated or Failed.
struct Evaluate {
  std::string id;
  Task task;
  Candidate candidate;
  EvaluateSettings settings;
};

/// Asks to prove a task itself: its reference runs, null kernels fail, its counts are plausible. Answered by
/// Checked or Failed.
struct CheckTask {
  std::string id;
  Task task;
};

/// Announces modules of torch for a device of this backend, so that what takes seconds to start can start
/// now. A worker does not answer; its judge answers Prepared. A failure to start is reported when the module
/// is judged.
struct ExpectModules {
  std::string id;       ///< "" to a worker
  std::string backend;  ///< "cpu" or "cuda"
};

/// Withdraws a request: it gets no answer. Unknown and finished ids are ignored.
struct Cancel {
  std::string id;
};

/// Tells the worker to end at once with everything that it started. The end of the stream means the same.
struct Quit {};

// Worker to engine.

/// The first message of a worker, sent before it reads any.
struct Hello {
  int protocol = version;  ///< the sender's protocol version
  std::string ridgeline;   ///< the sender's version of Ridgeline
  std::string host;
  std::vector<std::string> backends;  ///< "cpu", "cuda"
  /// The languages, by core's Language names, that it can build. It runs those of its backends.
  std::vector<std::string> languages;
  std::vector<Device> devices;
  std::vector<Toolchain> toolchains;
  std::string torch;  ///< LibTorch's version; "" if the worker has no judge
  IsolationOffer isolation;
  Counters counters;
  std::vector<Ceilings> ceilings;       ///< of the devices measured so far
  std::vector<std::string> shortfalls;  ///< what this machine cannot do, each with how to fix it
  int window = 1;                       ///< requests in flight that keep every core and device busy
  std::vector<std::string> plan;        ///< how cores are shared out between builds and devices, for people
};

/// Answers Evaluate.
struct Evaluated {
  std::string id;
  Verdict verdict;
};

/// One result of a task check.
struct CheckItem {
  std::string name;  ///< "reference runs", "null test: zeros", …
  bool passed = false;
  std::string message;
};

/// Answers CheckTask.
struct Checked {
  std::string id;
  std::vector<CheckItem> items;
};

/// Why there is a failure instead of a verdict.
enum class Failure {
  bad_request,     ///< the request is invalid; it would fail on every machine
  machine_cannot,  ///< this machine refuses: too little isolation, no such language
  judge_failed     ///< the judge failed twice, or could not judge this time
};
constexpr auto enum_names(Failure) {
  return std::to_array<Name<Failure>>({{Failure::bad_request, "bad_request"},
                                       {Failure::machine_cannot, "machine_cannot"},
                                       {Failure::judge_failed, "judge_failed"}});
}

/// Answers any request that could not be performed.
struct Failed {
  std::string id;  ///< "" if the request's id could not be read
  Failure kind = Failure::bad_request;
  std::string message;
};

// Between agent and judge. The judge reads one request at a time and answers it before it reads the next. It
// answers CheckTask with Checked, Prepare and ExpectModules with Prepared, and any request with Failed.

/// Asks the judge to run, compare and time a candidate that was built. Answered by Judged or Failed.
struct JudgeRequest {
  std::string id;
  Task task;
  /// Absolute path of what the build made: a shared library, or a source for Python runners.
  std::string artefact;
  Candidate candidate;
  EvaluateSettings settings;
};

/// Answers JudgeRequest with the verdict from the stage `call` on; the agent adds the stage `build`.
struct Judged {
  std::string id;
  Verdict verdict;
};

/// Asks the idle judge, while a candidate is being built, to make ready what judging it takes: the task's
/// expectations and runners of its kind. A failure here is reported when the candidate is judged.
struct Prepare {
  std::string id;
  Task task;
  Candidate candidate;
  EvaluateSettings settings;
};
/// Answers Prepare and ExpectModules.
struct Prepared {
  std::string id;
};

/// Asks the judge to describe the machine as it sees it.
struct Describe {
  std::string id;
};

/// Answers Describe; the agent's Hello repeats these fields.
struct Described {
  std::string id;
  std::string torch;
  std::vector<std::string> backends;
  std::vector<Device> devices;
  Counters counters;
  std::vector<Ceilings> ceilings;
  std::vector<std::string> shortfalls;
};

using ToWorker = std::variant<Evaluate, CheckTask, ExpectModules, Cancel, Quit>;
using FromWorker = std::variant<Hello, Evaluated, Checked, Failed>;
using ToJudge = std::variant<JudgeRequest, Prepare, ExpectModules, CheckTask, Describe, Quit>;
using FromJudge = std::variant<Judged, Prepared, Checked, Described, Failed>;

/// Writes every setting under its name: the verdict's record is bound to this text.
void to_json(nlohmann::json& out, const EvaluateSettings& settings);

/// Encode a message with its "protocol" and "type".
nlohmann::json encode(const ToWorker& message);
nlohmann::json encode(const FromWorker& message);
nlohmann::json encode(const ToJudge& message);
nlohmann::json encode(const FromJudge& message);

/// Decode a message. They throw ProtocolError if the document is not a message of that direction.
ToWorker decode_to_worker(const nlohmann::json& document);
FromWorker decode_from_worker(const nlohmann::json& document);
ToJudge decode_to_judge(const nlohmann::json& document);
FromJudge decode_from_judge(const nlohmann::json& document);

/// Returns the "id" of a document that could not be decoded, so that a Failed can answer it; "" if it has
/// none.
std::string id_of(const nlohmann::json& document);

/// Encodes and writes a message; blocks and throws as `write_frame` does.
template <class Message>
void send(int fd, const Message& message) {
  write_frame(fd, encode(message));
}

}  // namespace ridgeline::protocol
