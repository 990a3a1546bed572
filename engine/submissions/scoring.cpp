#include "engine/submissions/scoring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include "engine/core/available_cpus.hpp"
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/submissions/machine.hpp"
#include "engine/submissions/progress.hpp"

namespace ridgeline::submissions {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using suites::kernelbenchx::Clone;

/// Changes whenever a result of the same text may come out otherwise.
constexpr const char* kRule = "kernelbenchx faithful 2";

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || fs::is_directory(path))
    throw BadInput(path.string() +
                   ": cannot be read; name a file of JSON lines {\"predict\": …, \"file\": …}");
  text << file.rdbuf();  // an empty file leaves the stream failed, and the text empty
  return std::move(text).str();
}

/// Writes beside the file and renames, so that a reader finds the old document or the new one.
void write_document(const fs::path& path, const json& document) {
  const auto part = path.string() + ".part";
  {
    std::ofstream file(part, std::ios::trunc);
    file << document.dump(2, ' ', true, json::error_handler_t::replace) << '\n';
    if (!file.flush()) throw MachineCannot(path.string() + ": cannot be written: is the disk full?");
  }
  fs::rename(part, path);
}

/// Everything of one run.
class Run {
 public:
  Run(const ScoringSettings& settings, const Clone& clone, std::vector<Submission> submissions, Golden golden,
      LaneSettings lanes)
      : settings_(settings),
        clone_(clone),
        golden_(std::move(golden)),
        lanes_(std::move(lanes)),
        progress_(settings.out),
        scratch_(fs::absolute(settings.out) / "scratch") {
    for (auto& submission : submissions) scored_.push_back({std::move(submission), {}, {}, {}, ""});
    fs::remove_all(scratch_);  // of a run that was killed
  }
  ~Run() {
    std::error_code ignored;
    fs::remove_all(scratch_, ignored);
  }
  Run(const Run&) = delete;  // owns the folder
  Run& operator=(const Run&) = delete;

  Scores perform() {
    tell_earlier();
    on_lanes(lane_count(), [this](Lane& lane, std::size_t index) { return judge_one(lane, index); });
    // Alone on the device: what runs beside a measurement is in it.
    if (settings_.time && !stopped_)
      on_lanes(1, [this](Lane& lane, std::size_t index) { return time_one(lane, index); });
    if (stopped_) return {{}, {}, true};
    for (auto& one : scored_) weigh(one);
    Scores scores{metrics_document(scored_, where_), summary_document(scored_, where_), false};
    write_document(settings_.out / "metrics.json", scores.metrics);
    write_document(settings_.out / "summary.json", scores.summary);
    return scores;
  }

  Circumstances& where() { return where_; }

  /// Takes what an earlier run said of the machine, where nothing is left to judge.
  void recall_machine() {
    const auto kept = progress_.find("machine");
    if (!kept) return;
    for (const auto& [key, member] :
         {std::pair{"card", &Circumstances::card}, std::pair{"torch", &Circumstances::torch},
          std::pair{"triton", &Circumstances::triton}, std::pair{"radon", &Circumstances::radon},
          std::pair{"python", &Circumstances::python}})
      where_.*member = kept->value(key, "");
  }

 private:
  using Work = std::function<bool(Lane&, std::size_t)>;  ///< false: stopped

  int lane_count() const {
    const int most = settings_.lanes > 0 ? settings_.lanes : static_cast<int>(available_cpus().size());
    return std::clamp(most, 1, static_cast<int>(scored_.size()));
  }
  fs::path lane_folder(int number) const {
    const auto folder = scratch_ / std::to_string(number);
    fs::create_directories(folder);
    return folder;
  }

  void tell_earlier() const {
    std::size_t found = 0;
    for (std::size_t index = 0; index < scored_.size(); ++index)
      found += progress_.find(key_of(index, "judged")).has_value();
    if (found > 0)
      settings_.tell(
          fmt::format("{} of {} submissions were judged by an earlier run", found, scored_.size()));
  }

  /// Starts the lane's Python, and looks at the machine before the first submission of this run. Others wait
  /// for that.
  void make_ready(Lane& lane) {
    lane.facts();
    std::call_once(looked_, [&] {
      if (stopped_) return;
      try {
        describe_machine(lane, where_, settings_.tell);
      } catch (...) {
        stopped_ = true;  // or the next lane would look again
        throw;
      }
      progress_.keep("machine", {{"card", where_.card},
                                 {"torch", where_.torch},
                                 {"triton", where_.triton},
                                 {"radon", where_.radon},
                                 {"python", where_.python}});
    });
  }

  std::string key_of(std::size_t index, const char* what) const {
    const auto& submission = scored_[index].submission;
    const auto& parts = submission.task->parts;
    return std::string(what) + " " +
           sha256_of({kRule, lanes_.cuda ? "cuda" : "cpu", submission.file, submission.code, parts.reference,
                      parts.test, lanes_.python.fingerprint,
                      fmt::format("{} {}", settings_.limits.stage, settings_.limits.bench)});
  }

  /// Hands the submissions to lanes one after the other, and passes the first exception on.
  void on_lanes(int count, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto take = [&](int number) {
      try {
        Lane lane(lanes_, lane_folder(number));
        for (std::size_t index = next++; index < scored_.size() && !stopped_; index = next++)
          if (!work(lane, index)) stopped_ = true;
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        stopped_ = true;
      }
    };
    {
      std::vector<std::jthread> threads;
      for (int number = 0; number < count; ++number) threads.emplace_back(take, number);
    }
    if (failure) std::rethrow_exception(failure);
  }

  bool judge_one(Lane& lane, std::size_t index) {
    auto& one = scored_[index];
    const auto key = key_of(index, "judged");
    if (const auto kept = progress_.find(key)) {
      one.correctness = correctness_from(*kept);
      return true;
    }
    make_ready(lane);
    if (stopped_) return false;
    const auto correctness = check_correctness(lane, one.submission, clone_.root, settings_.limits);
    if (!correctness) return false;
    one.correctness = *correctness;
    progress_.keep(key, as_json(*correctness));
    say(fmt::format("{}: call {}, execution {}", one.submission.file, to_string(correctness->call),
                    to_string(correctness->execution)));
    return true;
  }

  bool time_one(Lane& lane, std::size_t index) {
    auto& one = scored_[index];
    if (one.correctness.execution != StageEnd::passed) return true;
    const auto key = key_of(index, "timed");
    if (const auto kept = progress_.find(key)) {
      one.performance = performance_from(*kept);
      return true;
    }
    make_ready(lane);
    const auto performance = measure_performance(lane, one.submission, clone_.root, settings_.limits);
    if (!performance) return false;
    one.performance = performance;
    progress_.keep(key, as_json(*performance));
    say(fmt::format("{}: performance {}, {} sizes", one.submission.file, to_string(performance->end),
                    performance->sizes ? performance->sizes->size() : 0));
    return true;
  }

  void weigh(Scored& one) const {
    if (!one.performance || !one.performance->sizes) return;
    one.efficiency = efficiency(*one.performance->sizes, golden_, one.submission.stem);
    const auto script = clone_.root / "metrics" / "golden_metrics" / (one.submission.stem + "_perf.py");
    one.dtype = dtype_of_script(text_of_file(script), one.submission.stem);
  }

  void say(const std::string& line) {
    const std::lock_guard lock(saying_);
    settings_.tell(line);
  }

  const ScoringSettings& settings_;
  const Clone& clone_;
  Golden golden_;
  LaneSettings lanes_;
  Progress progress_;
  fs::path scratch_;
  std::vector<Scored> scored_;
  Circumstances where_;
  std::atomic<bool> stopped_ = false;
  std::once_flag looked_;
  std::mutex saying_;
};

}  // namespace

Scores score(const ScoringSettings& settings) {
  const auto clone = suites::kernelbenchx::open_clone(settings.clone);
  auto submissions =
      read_submissions(settings.predictions.string(), text_of_file(settings.predictions), clone);
  auto golden = settings.time ? read_golden(clone.root, settings.golden) : Golden{settings.golden, {}};
  auto lanes = lane_settings(settings, clone.root);
  Run run(settings, clone, std::move(submissions), std::move(golden), lanes);
  auto& where = run.where();
  where.method = fs::absolute(settings.out).lexically_normal().filename().string();
  if (where.method.empty())
    where.method = fs::absolute(settings.out).lexically_normal().parent_path().filename();
  where.on_cpu = !lanes.cuda;
  where.timed = settings.time;
  where.golden = settings.golden;
  where.isolation = std::string(to_string(lanes.isolation));
  for (const auto& task : clone.tasks)
    if (task.meta) where.categories.push_back(task.category);
  run.recall_machine();
  return run.perform();
}

}  // namespace ridgeline::submissions
