// Records as a real campaign makes them, every field filled, for tests of the store and of what reads it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/candidate.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/statistics.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::store::samples {

/// A folder of its own, removed with what it holds.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  const std::filesystem::path& root() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

inline CampaignRecord campaign(const std::string& name = "quickstart");
inline TaskRecord task(const std::string& name = "softmax", const std::string& category = "Math");
inline TrajectoryRecord trajectory(const TaskRecord& task, std::uint64_t seed = 7);

/// Distinct source a number.
inline Candidate candidate(int number, std::vector<Hash> parents = {});
inline AskRecord ask(Id trajectory, int step, int slot, const Candidate* candidate);
inline EvaluationRecord evaluation(Id trajectory, int step, int slot, const Verdict& verdict);

/// Correct on two timed cases with `samples` raw times in all, error quantiles, rooflines and counters.
inline Verdict correct_verdict(const Hash& task, const Hash& candidate, double seconds = 1e-3,
                               int samples = 100);
/// Fails at `stage` for `reason`; a failure in the correctness stage has a mismatch with numbers that are not
/// finite.
inline Verdict failed_verdict(const Hash& task, const Hash& candidate, Stage stage, Reason reason);

inline std::string text_of(const Verdict& verdict) {
  return dump_json(nlohmann::json(verdict), 1);
}

inline Duration duration(double median, int count, Random& random) {
  Duration d{.median = median, .low = median * 0.99, .high = median * 1.01, .samples = {}, .converged = true};
  for (int i = 0; i < count; ++i) d.samples.push_back(median * (0.99 + 0.02 * random.uniform()));
  return d;
}

inline Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "ridgeline-store-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::filesystem::filesystem_error(pattern, std::error_code());
  folder_ = pattern;
}
inline Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
  std::filesystem::remove_all(folder_, ignored);
}

inline CampaignRecord campaign(const std::string& name) {
  return {.name = name,
          .config_text = "campaign: " + name + "\nsuite: native\n",
          .config_hash = sha256(name),
          .plan_hash = sha256("plan of " + name),
          .prompts_hash = sha256("prompts"),
          .engine_version = "0.1.0",
          .created_at = 1'790'000'000'000};
}

inline TaskRecord task(const std::string& name, const std::string& category) {
  return {.hash = sha256("task " + name),
          .name = name,
          .category = category,
          .document =
              R"({"name":")" + name +
              R"(","difficulty":2,"parameters":[{"kind":"tensor","name":"x","dtype":"float32"}],"cases":[)"
              R"({"name":"small","timed":true},{"name":"ragged","timed":true},)"
              R"({"name":"unseen_tail","hidden":true},{"name":"last_resort","final":true}]})"};
}

inline TrajectoryRecord trajectory(const TaskRecord& task, std::uint64_t seed) {
  TrajectoryRecord t;
  t.task_hash = task.hash;
  t.task_name = task.name;
  t.category = task.category;
  t.strategy = "iterative-gep";
  t.strategy_json = R"({"strategy":"iterative","rounds":3})";
  t.model = "replayed/model";
  t.seed = seed;
  return t;
}

inline Candidate candidate(int number, std::vector<Hash> parents) {
  std::string source =
      "// attempt " + std::to_string(number) +
      "\n#include <cmath>\nextern \"C\" void kernel_softmax(const float* x, float* y, long rows, "
      "long columns) {\n";
  for (int i = 0; i < 4; ++i)
    source += "  for (long r" + std::to_string(i) + " = " + std::to_string(number % 3) + "; r" +
              std::to_string(i) + " < rows; ++r" + std::to_string(i) + ") y[r" + std::to_string(i) +
              "] = std::exp(x[r" + std::to_string(i) + "] * " + std::to_string(number) + ".0f);\n";
  return make_candidate(Language::cpp, source + "}\n", std::move(parents));
}

inline AskRecord ask(Id trajectory, int step, int slot, const Candidate* candidate) {
  AskRecord a;
  a.trajectory = trajectory;
  a.step = step;
  a.slot = slot;
  a.round = step;
  a.request_hash = sha256("request " + std::to_string(step) + "." + std::to_string(slot));
  a.role = step == 0 ? "iterative/first" : "iterative/refine";
  a.model = "generator";
  a.temperature = 0.7;
  if (candidate != nullptr && !candidate->parents.empty()) a.change = candidate->parents.front();
  a.feedback = a.change.empty() ? "[]" : R"([{"kind":"errors","about":")" + a.change + R"("}])";
  a.prompt = R"([{"role":"system","content":"You write kernels."},{"role":"user","content":"Step )" +
             std::to_string(step) + R"( of softmax."}])";
  a.raw_request = R"({"messages":)" + a.prompt + "}";
  a.raw_response = R"({"id":"x","choices":[]})";
  a.response_text =
      candidate != nullptr ? "Here it is:\n```cpp\n" + candidate->source + "```\n" : "I cannot.";
  a.reasoning = "First I think of the rows.";
  a.finish_reason = "stop";
  a.llm_status = "answered";
  a.llm_detail = "first try";
  a.provider_model = "model-2026-01";
  a.tokens = {.input = 1200, .output = 400, .cached = 1000, .reasoning = 50};
  a.usd = 0.0125;
  a.seconds = 3.5;
  a.attempts = 1;
  a.diverged = true;
  a.status = candidate != nullptr ? AnswerStatus::kernel : AnswerStatus::no_code;
  a.detail = candidate != nullptr ? "" : "an answer without code";
  if (candidate != nullptr) a.candidate = candidate->hash;
  a.started_at = 1'790'000'000'123;
  a.ended_at = 1'790'000'003'623;
  return a;
}

inline EvaluationRecord evaluation(Id trajectory, int step, int slot, const Verdict& verdict) {
  EvaluationRecord e;
  e.trajectory = trajectory;
  e.step = step;
  e.slot = slot;
  e.round = step;
  e.request_hash = sha256("evaluate " + verdict.candidate);
  e.candidate = verdict.candidate;
  e.verdict = verdict;
  e.seconds = 0.4;
  e.worker = "local:0";
  e.started_at = 1'790'000'003'700;
  e.ended_at = 1'790'000'004'100;
  return e;
}

inline Verdict correct_verdict(const Hash& task, const Hash& candidate, double seconds, int samples) {
  Random random(static_cast<std::uint64_t>(samples));
  Verdict v;
  v.task = task;
  v.candidate = candidate;
  for (auto& stage : v.stages) stage = {Status::passed, Reason::none, "", 0.05};
  v.build_flags = {"-O3", "-march=native", "-fopenmp-simd"};
  v.compiler = "g++ 12.2.0";
  v.timing.emplace();
  v.timing->baseline = "eager LibTorch 2.11.0, 1 thread, float32";
  const int parts[3] = {samples / 5, samples / 10, samples / 2 - samples / 5 - samples / 10};
  for (const auto* name : {"small", "ragged"}) {
    CaseTiming c;
    c.case_name = name;
    c.cold = duration(seconds, parts[0], random);
    c.hot = duration(seconds * 0.8, parts[1], random);
    c.baseline_cold = duration(2e-3, parts[2], random);
    c.baseline_drift = 1.01;
    c.cpu_seconds = seconds;
    c.slots_verified = 3;
    c.replayed = duration(seconds * 0.7, 3, random);
    c.energy = 4e-3;
    c.energy_above_idle = 3e-3;
    v.timing->cases.push_back(std::move(c));
    v.rooflines.push_back({.case_name = name,
                           .bytes = 8e6,
                           .operations = 5e6,
                           .bytes_source = Source::analytic,
                           .operations_source = Source::perf,
                           .seconds = seconds,
                           .intensity = 0.625,
                           .roof_seconds = 4e-4,
                           .bandwidth_share = 0.4,
                           .compute_share = 0.1,
                           .efficiency = 0.4,
                           .headroom_seconds = seconds - 4e-4,
                           .bound = Bound::memory,
                           .counters = {{"cycles", 1e6, Source::perf}, {"instructions", 2e6, Source::perf}},
                           .diagnosis = "40 % of the memory roof"});
    for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge})
      v.errors.push_back({name, set, "y", 0.01, 0.05, set == InputSet::edge ? 0.5 : 0.2});
  }
  score(*v.timing);
  v.launches = {{.case_name = "small",
                 .kernel = "reduce<float, 4>",
                 .grid = {132, 2, 1},
                 .block = {256, 1, 1},
                 .registers = 40,
                 .shared = 2048,
                 .local = 8,
                 .seconds = 1.5e-5,
                 .dram_bytes = 8e6,
                 .achieved_occupancy = 0.7,
                 .theoretical_occupancy = 0.75,
                 .limit = OccupancyLimit::registers}};
  v.rooflines.front().counters.push_back({"dram_read_bytes", 6e6, Source::cupti});
  v.isolation = {"standard", "Landlock 7; seccomp"};
  v.device = "cpu";
  v.seconds = 0.4;
  v.faithful_correct = true;
  return v;
}

inline Verdict failed_verdict(const Hash& task, const Hash& candidate, Stage stage, Reason reason) {
  Verdict v;
  v.task = task;
  v.candidate = candidate;
  for (std::size_t i = 0; i < static_cast<std::size_t>(stage); ++i) v.stages[i].status = Status::passed;
  v.at(stage) = {Status::failed, reason, "case ragged: " + std::string(to_string(reason)), 0.1};
  v.compiler = "g++ 12.2.0";
  v.isolation = {"standard", "Landlock 7; seccomp"};
  v.device = "cpu";
  if (stage == Stage::build) v.build_log = "kernel.cpp:3:5: error: 'foo' was not declared in this scope\n";
  if (stage == Stage::call) {
    v.call_failure.emplace();
    v.call_failure->case_name = "ragged";
    v.call_failure->signal = 11;
    v.call_failure->signal_name = "SIGSEGV";
  }
  if (stage == Stage::correctness)
    v.mismatches.push_back({.case_name = "ragged",
                            .hidden = false,
                            .input_set = InputSet::edge,
                            .output = "y",
                            .shape = {4, 33},
                            .elements = 132,
                            .wrong = 4,
                            .worst_absolute = 0.5,
                            .worst_relative = std::numeric_limits<double>::infinity(),
                            .tolerance = 1e-5,
                            .pattern = Pattern::tail,
                            .pattern_detail = "columns >= 32 of every row",
                            .first = {{{0, 32}, 0.25, std::numeric_limits<double>::quiet_NaN()}}});
  return v;
}

}  // namespace ridgeline::store::samples
