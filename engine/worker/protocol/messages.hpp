// What engine and worker say to each other, and agent and judge: typed here, JSON on the wire
// (docs/protocol.md).
//
// Every document carries "protocol" and "type". Unknown keys are ignored, missing optional ones keep their
// default; an unknown type, a missing key that matters and a newer protocol are ProtocolErrors that name the
// mend. Ids are the asker's: any text, unique among its requests in flight; answers come in any order.
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

/// Raised with every change that an older side would misread.
inline constexpr int version = 1;

struct Toolchain {
  std::string name;                ///< "g++", "clang++", "nvcc", "triton"
  std::string version;             ///< its own line: "g++ (Debian 12.2.0-14+deb12u1) 12.2.0"
  std::string path;                ///< of the program
  std::string language;            ///< what it builds: "cpp", "cuda"
  std::vector<std::string> flags;  ///< what it is called with where a campaign names none
};

struct Device {
  std::string name;     ///< "AMD EPYC 7B13", "NVIDIA H200"
  std::string backend;  ///< "cpu" or "cuda"
  int index = 0;        ///< among the devices of its backend
  double memory_bytes = 0;
  std::string architecture = {};  ///< what nvcc builds for: "sm_90"; "" for a CPU, and where unknown
};

/// What the machine gives between a candidate and everything else.
struct IsolationOffer {
  std::string level = "none";        ///< the strongest it can give: "strict", "standard" or "none"
  std::string details;               ///< "user,pid,net,ipc,mount,uts namespaces; Landlock 7; seccomp"
  std::vector<std::string> missing;  ///< one line each: what a stronger level wants and its mend
};

struct Counters {
  bool readable = false;
  std::string why_not;  ///< and the mend; "" if readable
};

// Engine to worker.

struct EvaluateSettings {
  std::string isolation = "standard";  ///< the least accepted; a machine that offers less refuses
  bool time = true;                    ///< false: stop after correctness
  bool profile = true;                 ///< place on the roofline, counters where readable
  double timing_cap_seconds = 0.06;    ///< of measuring, a side (candidate, baseline) and case
  double call_limit_seconds = 10;      ///< wall time of one call before it counts as hung
  bool hidden_cases = true;
  bool final_cases = false;
  std::vector<std::string> build_flags;  ///< empty: the language's own; what is not on its list is refused
  bool counters = true;                  ///< of hardware, after the verdict; false: analytic counts stand in
  /// Torch's own headers where stand-ins do not do for an answer's inline C++: up to a minute or two a
  /// module.
  bool torch_headers = true;
  bool energy = false;                  ///< joules a call, where a device counts them: seconds a timed case
  Fallback fallback = Fallback::allow;  ///< of modules that compute by torch's operators
  /// Judges the task's own module under torch.compile, which is then the candidate's text: for a baseline.
  /// Minutes may go by while it compiles; nothing is counted, and the roofline is not asked for.
  std::optional<CompileMode> torch_compile = {};
};

struct Evaluate {
  std::string id;
  Task task;
  Candidate candidate;
  EvaluateSettings settings;
};

/// Prove a task itself: reference runs, null test fails, counts are sane.
struct CheckTask {
  std::string id;
  Task task;
};

/// Modules of torch will come, for a device of that backend: what takes seconds to start may start now. No
/// answer comes of a worker; its judge says Prepared. What cannot be started is told where it is needed.
struct ExpectModules {
  std::string id;       ///< "" to a worker
  std::string backend;  ///< "cpu" or "cuda"
};

/// Forget a request: no answer comes. Unknown and finished ids are ignored.
struct Cancel {
  std::string id;
};

/// Finish nothing more and end, with everything that was started. The end of the stream means the same.
struct Quit {};

// Worker to engine.

/// The first message of a worker, before it reads any.
struct Hello {
  int protocol = version;  ///< the sender's
  std::string ridgeline;   ///< its version
  std::string host;
  std::vector<std::string> backends;  ///< "cpu", "cuda"
  std::vector<std::string>
      languages;  ///< of core's Language: those it can build; it runs those of its backends
  std::vector<Device> devices;
  std::vector<Toolchain> toolchains;
  std::string torch;  ///< LibTorch's version; "" where there is no judge
  IsolationOffer isolation;
  Counters counters;
  std::vector<Ceilings> ceilings;       ///< those measured so far
  std::vector<std::string> shortfalls;  ///< what this machine cannot do, each with its mend
  int window = 1;                       ///< requests in flight that keep every core and device busy
};

struct Evaluated {
  std::string id;
  Verdict verdict;
};

struct CheckItem {
  std::string name;  ///< "reference runs", "null test: zeros", …
  bool passed = false;
  std::string message;
};

struct Checked {
  std::string id;
  std::vector<CheckItem> items;
};

/// Why a failure is no verdict.
enum class Failure {
  bad_request,     ///< the request makes no sense; the same one will fail everywhere
  machine_cannot,  ///< this machine refuses: too little isolation, no such language
  judge_failed     ///< the judge died or answered nonsense, twice, or could not this time
};
constexpr auto enum_names(Failure) {
  return std::to_array<Name<Failure>>({{Failure::bad_request, "bad_request"},
                                       {Failure::machine_cannot, "machine_cannot"},
                                       {Failure::judge_failed, "judge_failed"}});
}

struct Failed {
  std::string id;  ///< "" if it could not be read
  Failure kind = Failure::bad_request;
  std::string message;
};

// Agent to judge and back. The judge reads one request at a time and answers it before the next; it also
// answers CheckTask with Checked, Prepare and ExpectModules with Prepared, and each request with Failed.

/// A candidate that was built, to be run, compared and timed.
struct JudgeRequest {
  std::string id;
  Task task;
  std::string
      artefact;  ///< absolute path of what the build left: a shared library, or a source for Python runners
  Candidate candidate;
  EvaluateSettings settings;
};

/// The verdict from the stage `call` on; the agent fills in `build` and what belongs to it.
struct Judged {
  std::string id;
  Verdict verdict;
};

/// While a candidate is being built and the judge has nothing to do: make ready what judging it takes, the
/// task's expectations and runners of its kind. What fails here is told where the candidate is judged.
struct Prepare {
  std::string id;
  Task task;
  Candidate candidate;
  EvaluateSettings settings;
};
struct Prepared {
  std::string id;
};

struct Describe {
  std::string id;
};

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

/// Every setting by its name: what a record of a verdict is bound to.
void to_json(nlohmann::json& out, const EvaluateSettings& settings);

nlohmann::json encode(const ToWorker& message);
nlohmann::json encode(const FromWorker& message);
nlohmann::json encode(const ToJudge& message);
nlohmann::json encode(const FromJudge& message);

/// All throw ProtocolError on a document that is no such message.
ToWorker decode_to_worker(const nlohmann::json& document);
FromWorker decode_from_worker(const nlohmann::json& document);
ToJudge decode_to_judge(const nlohmann::json& document);
FromJudge decode_from_judge(const nlohmann::json& document);

/// The "id" of a document that could not be decoded, so that a Failed can answer it; "" if it has none.
std::string id_of(const nlohmann::json& document);

/// `frame.hpp`'s read and write for whole messages.
template <class Message>
void send(int fd, const Message& message) {
  write_frame(fd, encode(message));
}

}  // namespace ridgeline::protocol
