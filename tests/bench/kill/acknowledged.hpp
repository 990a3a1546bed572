// Works out from a campaign's progress lines alone which records it acknowledged before it was killed.
//
// Progress speaks before a record is committed. But a trajectory evaluates a kernel only after the answer was
// acknowledged, and begins a step only after everything of the steps before was. So each line acknowledges
// earlier ones:
//   "answered WHERE STEP SLOT CANDIDATE"   everything told of WHERE in earlier steps
//   "evaluated WHERE CANDIDATE"            the answer that brought it
#pragma once

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/campaign/progress.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::bench {

/// In the engine's process. A line is shorter than PIPE_BUF and so arrives whole or not at all.
class ToldProgress final : public campaign::Progress {
 public:
  explicit ToldProgress(int pipe) : pipe_(pipe) {}

  void answered(const std::string& where, int, const store::AskRecord& ask) override {
    say("answered " + where + ' ' + std::to_string(ask.step) + ' ' + std::to_string(ask.slot) + ' ' +
        (ask.candidate.empty() ? "-" : ask.candidate));
  }
  void evaluated(const std::string& where, int, const Verdict& verdict) override {
    say("evaluated " + where + ' ' + verdict.candidate);
  }

 private:
  void say(const std::string& line) const { (void)!write(pipe_, (line + '\n').data(), line.size() + 1); }

  int pipe_;
};

class Acknowledged {
 public:
  void hear(const std::string& line) {
    std::istringstream words(line);
    std::string kind, where, candidate;
    words >> kind >> where;
    auto& walk = walks_[where];
    if (kind == "answered") {
      int step = 0, slot = 0;
      words >> step >> slot >> candidate;
      if (step > walk.step) {
        for (const auto& told : walk.told) rows_.emplace(where, told);
        walk.told.clear();
        walk.step = step;
      }
      walk.told.push_back({"answer", step, slot, candidate});
    } else {
      words >> candidate;
      for (const auto& told : walk.told)
        if (std::get<3>(told) == candidate) rows_.emplace(where, told);
      // A resumed engine may first tell of a verdict whose answer an earlier one had told: of a step unknown.
      if (walk.step >= 0) walk.told.push_back({"verdict", walk.step, 0, candidate});
    }
  }

  /// An engine that ended has told no more: what was not acknowledged may be told again by the next one.
  void engine_was_killed() {
    for (auto& [where, walk] : walks_) walk = {};
  }

  std::size_t count() const { return rows_.size(); }

  /// How many of the rows are not in the store.
  int missing_in(const std::string& path) const {
    const auto opened = store::Store::open(path, store::OpenMode::read_only);
    const store::Reader reader(opened);
    std::set<std::pair<std::string, Told>> there;
    for (const auto& one : reader.trajectories()) {
      const auto where = one.task_name + '/' + one.strategy + '/' + std::to_string(one.seed);
      for (const auto& attempt : reader.attempts(one.id)) {
        const auto& ask = attempt.ask;
        there.emplace(where, Told{"answer", ask.step, ask.slot, ask.candidate.empty() ? "-" : ask.candidate});
        if (attempt.evaluation)
          there.emplace(where, Told{"verdict", ask.step, 0, attempt.evaluation->candidate});
      }
    }
    return static_cast<int>(
        std::count_if(rows_.begin(), rows_.end(), [&](const auto& row) { return !there.contains(row); }));
  }

 private:
  using Told =
      std::tuple<std::string, int, int, std::string>;  ///< kind, step, slot (of an answer), candidate
  struct Walk {
    int step = -1;
    std::vector<Told> told;  ///< since the step began
  };

  std::map<std::string, Walk> walks_;
  std::set<std::pair<std::string, Told>> rows_;
};

}  // namespace ridgeline::bench
