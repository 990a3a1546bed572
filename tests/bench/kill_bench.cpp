// The `kill` figures: kill -9 of engine, worker, judge or runner at random moments, resumed each time.
//
//   bench-kill [KILLS] [SEED]      default: 100 of either kind, seed 1; run from anywhere
//   bench-kill --short             two of either kind, one task and strategy of the quickstart
//
// Under the real evaluator (the quickstart's tasks, strategies and recorded answers): every row that was once
// seen in the store, and every result that the engine had acknowledged, is there unchanged after each kill;
// no process outlives its engine; every campaign ends. A campaign takes half of the kills before it is left
// in peace. Under a deterministic evaluator, where only the engine can be killed, the exports of the finished
// store equal those of an undisturbed run. Ends with 1 where a goal is missed.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "engine/campaign/config_reader.hpp"
#include "engine/campaign/run.hpp"
#include "engine/core/statistics.hpp"
#include "engine/export/export.hpp"
#include "engine/suites/native/suite.hpp"
#include "llm_clients/factory.hpp"
#include "tests/bench/campaign_bed.hpp"
#include "tests/bench/instant_ports.hpp"
#include "tests/bench/kill/acknowledged.hpp"
#include "tests/bench/kill/forked.hpp"
#include "tests/bench/kill/process_tree.hpp"
#include "tests/bench/kill/rows.hpp"
#include "tests/bench/short_form.hpp"

namespace ridgeline::bench {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

void wait_a_little() {
  std::this_thread::sleep_for(milliseconds(2));
}

campaign::CampaignConfig quickstart(const std::string& store, bool brief) {
  auto config = campaign::read_campaign("configs/quickstart.yaml", {});
  config.store = store;
  config.worker.timing_cap_ms = 5;
  if (brief) {
    config.suite = suites::native::open_folder("", {.names = {"softmax"}});
    config.strategies.resize(1);
  }
  return config;
}

struct Tally {
  std::map<std::string, int> kills;
  int campaigns = 0;
  int gave_up = 0;       ///< engines that ended by themselves before their campaign did, and were resumed
  int left_behind = 0;   ///< processes that outlived their engine by more than ten seconds
  std::size_t rows = 0;  ///< compared, each once a kill
  int rows_lost = 0;
  std::size_t acknowledged = 0;
  int acknowledged_missing = 0;
  int total() const {
    int sum = 0;
    for (const auto& [kind, count] : kills) sum += count;
    return sum;
  }
};

/// One campaign under the real evaluator that is killed and resumed until it ends.
class Disturbed {
 public:
  Disturbed(campaign::CampaignConfig config, Random& random, Tally& tally)
      : config_(std::move(config)),
        plan_(campaign::make_plan(config_, campaign::select_tasks(config_, [](const std::string&) {}))),
        random_(random),
        tally_(tally) {}

  /// Kills up to `most` times, then waits for the end.
  void run(int most) {
    start();
    for (int kills = 0; kills < most;) {
      if (run_for(0.2 + 1.6 * random_.uniform())) return finish();
      kills += kill_one(kinds_[random_.below(kinds_.size())]);
      compare();
    }
    while (!run_for(1)) {
    }
    finish();
  }

 private:
  void start() {
    engine_.reset();
    engine_ = std::make_unique<Forked>([this](int pipe) {
      ToldProgress progress(pipe);
      const auto result = run_campaign(config_, plan_, progress, {});
      if (result.end == campaign::RunEnd::finished) return 0;
      std::fprintf(stderr, "bench-kill: the engine gave up: %s\n", result.pause.reason.c_str());
      return 4;
    });
  }

  void listen() {
    engine_->hear([this](const std::string& line) { acknowledged_.hear(line); });
  }

  /// True if the campaign ended meanwhile.
  bool run_for(double seconds) {
    for (const auto begin = SteadyClock::now(); seconds_since(begin) < seconds; wait_a_little()) {
      listen();
      const auto status = engine_->ended();
      if (!status) continue;
      if (*status == 0) return true;
      ++tally_.gave_up;
      if (++gave_up_in_a_row_ > 20) throw std::runtime_error("the engine gives up again and again, unkilled");
      resume();
    }
    return false;
  }

  void resume() {
    listen();
    acknowledged_.engine_was_killed();
    tally_.left_behind += wait_for_orphans();
    compare();
    start();
  }

  /// 1, or 0 where no process of that kind came up in a while.
  int kill_one(const std::string& kind) {
    const auto pid = find(kind);
    if (pid == 0) return 0;
    if (kind == "engine") {
      engine_->kill_now();
      resume();
    } else {
      kill(pid, SIGKILL);
    }
    ++tally_.kills[kind];
    gave_up_in_a_row_ = 0;
    return 1;
  }

  pid_t find(const std::string& kind) {
    if (kind == "engine") return engine_->ended() ? 0 : engine_->pid();
    const auto name = ("ridgeline-" + kind).substr(0, 15);
    for (const auto begin = SteadyClock::now(); seconds_since(begin) < 2; wait_a_little()) {
      listen();
      if (engine_->ended()) return 0;
      for (const auto& process : descendants(engine_->pid()))
        if (process.name == name) return process.pid;
    }
    return 0;
  }

  /// How many processes of a dead engine were still there after ten seconds.
  static int wait_for_orphans() {
    for (const auto begin = SteadyClock::now(); seconds_since(begin) < 10; wait_a_little()) {
      while (waitpid(-1, nullptr, WNOHANG) > 0) {
      }
      if (descendants(getpid()).empty()) return 0;
    }
    const auto left = descendants(getpid());
    for (const auto& process : left) {
      std::fprintf(stderr, "bench-kill: %s outlived its engine\n", process.name.c_str());
      kill(process.pid, SIGKILL);
    }
    return static_cast<int>(left.size());
  }

  void compare() {
    if (!fs::exists(config_.store)) return;  // killed before it was made
    auto now = rows_of(config_.store);
    tally_.rows += rows_.size();
    tally_.rows_lost += lost(rows_, now);
    rows_ = std::move(now);
  }

  void finish() {
    listen();
    compare();
    tally_.acknowledged += acknowledged_.count();
    tally_.acknowledged_missing += acknowledged_.missing_in(config_.store);
    ++tally_.campaigns;
  }

  const std::array<std::string, 4> kinds_{"engine", "worker", "judge", "runner"};
  campaign::CampaignConfig config_;
  campaign::Plan plan_;
  Random& random_;
  Tally& tally_;
  std::unique_ptr<Forked> engine_;
  Acknowledged acknowledged_;
  Rows rows_;
  int gave_up_in_a_row_ = 0;  ///< since the last kill
};

class ScratchFolder {
 public:
  ScratchFolder() {
    auto pattern = (fs::temp_directory_path() / "ridgeline-kill-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder " + pattern);
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;  // it would be removed twice
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

bool real_evaluator(const ScratchFolder& folder, bool brief, int kills, Random& random) {
  Tally tally;
  const auto begin = SteadyClock::now();
  while (tally.total() < kills) {
    const auto store = folder.file(fmt::format("real{}.db", tally.campaigns));
    Disturbed(quickstart(store, brief), random, tally).run(std::min((kills + 1) / 2, kills - tally.total()));
  }
  fmt::print(
      R"({{"figure":"kill","value":{},"unit":"kills","goal":"{}","engine":{},"worker":{},"judge":{},"runner":{},)"
      R"("campaigns_finished":{},"engines_that_gave_up":{},"seconds":{:.0f}}})"
      "\n",
      tally.total(), kills, tally.kills["engine"], tally.kills["worker"], tally.kills["judge"],
      tally.kills["runner"], tally.campaigns, tally.gave_up, seconds_since(begin));
  fmt::print(R"({{"figure":"kill_rows_lost","value":{},"unit":"rows","goal":"0","rows_compared":{},)"
             R"("acknowledged":{}}})"
             "\n",
             tally.rows_lost + tally.acknowledged_missing, tally.rows, tally.acknowledged);
  fmt::print(R"({{"figure":"kill_processes_left","value":{},"unit":"processes","goal":"0"}})"
             "\n",
             tally.left_behind);
  std::fflush(stdout);
  return tally.rows_lost + tally.acknowledged_missing + tally.left_behind == 0;
}

/// Every format, one after the other.
std::string exports_of(const std::string& path) {
  const auto opened = store::Store::open(path, store::OpenMode::read_only);
  const store::Reader reader(opened);
  std::ostringstream text;
  for (const auto& format : enum_names(exporting::Format{})) {
    exporting::ExportOptions options;
    options.format = format.value;
    options.include_flagged = options.include_incomplete = options.include_first_attempts = true;
    exporting::export_store(reader, options, text);
  }
  return std::move(text).str();
}

Forked deterministic_engine(const campaign::CampaignConfig& config, const campaign::Plan& plan) {
  return Forked([&](int) {
    CampaignBed bed(config, plan);
    const auto model = llm::make_client(config.models.front(), bed.io());
    InstantEvaluator evaluator(bed.io());
    bed.run(*model, evaluator);
    return 0;
  });
}

bool deterministic_evaluator(const ScratchFolder& folder, bool brief, int kills, Random& random) {
  auto config = quickstart(folder.file("undisturbed.db"), brief);
  const auto plan = campaign::make_plan(config, campaign::select_tasks(config, [](const std::string&) {}));
  const auto run_until = [&](double limit) {  // true: it ended before
    auto engine = deterministic_engine(config, plan);
    const auto begin = SteadyClock::now();
    for (; seconds_since(begin) < limit; std::this_thread::sleep_for(std::chrono::microseconds(200)))
      if (const auto status = engine.ended()) {
        if (*status != 0) throw std::runtime_error("the engine could not go on");
        return true;
      }
    return false;
  };
  const auto begin = SteadyClock::now();
  run_until(600);
  const double undisturbed = seconds_since(begin);
  const auto expected = exports_of(config.store);

  int killed = 0, finished = 0, equal = 0;
  while (killed < kills) {
    config.store = folder.file(fmt::format("disturbed{}.db", finished));
    while (!run_until(killed < kills ? random.uniform() * undisturbed : 600)) ++killed;
    ++finished;
    equal += exports_of(config.store) == expected;
  }
  fmt::print(R"({{"figure":"kill_exports_equal","value":{},"unit":"campaigns","goal":"{}","kills":{},)"
             R"("bytes_each":{},"undisturbed_s":{:.2f}}})"
             "\n",
             equal, finished, killed, expected.size(), undisturbed);
  std::fflush(stdout);
  return equal == finished;
}

int run(bool brief, int kills, std::uint64_t seed) {
  fs::current_path(RIDGELINE_SOURCE_DIR);
  setenv("RIDGELINE_TASKS", RIDGELINE_SOURCE_DIR "/benchmark_tasks", 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what a killed engine leaves behind becomes ours, and is seen
  Random random(seed);
  const ScratchFolder folder;
  const bool exact = deterministic_evaluator(folder, brief, kills, random);
  const bool kept = real_evaluator(folder, brief, kills, random);
  return exact && kept ? 0 : 1;
}

}  // namespace
}  // namespace ridgeline::bench

int main(int argc, char** argv) {
  try {
    const bool brief = ridgeline::bench::take_short(argc, argv);
    const int kills = brief ? 2 : 100;
    return ridgeline::bench::run(brief, argc > 1 ? std::atoi(argv[1]) : kills,
                                 argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-kill: %s\n", error.what());
    return 3;
  }
}
