// Estimates how long a campaign still takes, from the steps of its trajectories so far: calls to models and
// evaluations, each one. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ridgeline::campaign {

class TimeLeft {
 public:
  TimeLeft() = default;
  /// For so many trajectories that have not finished, which may take at most `most_calls_and_evaluations`
  /// together.
  TimeLeft(int trajectories, std::int64_t most_calls_and_evaluations)
      : trajectories_(trajectories), most_calls_and_evaluations_(most_calls_and_evaluations) {}

  void stepped(const std::string& where);  ///< a call or an evaluation of the trajectory at this address
  void ended(const std::string& where);

  /// Returns "about 12 min left" after so many seconds of the run. A trajectory still under way is taken to
  /// take as many steps as those that have ended; until one has, as many as it may: "at most 2 h left". ""
  /// while nothing is known, and if nothing is left.
  std::string text(double seconds) const;

 private:
  std::map<std::string, int> running_;  // steps of each, by address
  int trajectories_ = 0, ended_ = 0;
  std::int64_t most_calls_and_evaluations_ = 0, steps_ = 0, steps_of_ended_ = 0;
};

}  // namespace ridgeline::campaign
