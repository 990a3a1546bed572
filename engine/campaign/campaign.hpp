// Runs a campaign's trajectories against a store, side by side, until all ended or it is stopped.
//
// One thread, the io_context's. Order of use: construct, `start`, run the io_context; `stop` at any time.
// What is in the store when it stops is enough to go on: start the same campaign again.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "engine/campaign/enroll.hpp"
#include "engine/campaign/plan.hpp"
#include "engine/campaign/trajectory.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::campaign {

class Campaign {
 public:
  /// Called once: null when every trajectory ended, else what made going on impossible.
  using Ended = std::function<void(std::exception_ptr)>;
  using Post = std::function<void(std::function<void()>)>;

  Campaign(Services& services, const Plan& plan, Enrolled enrolled, const store::Reader& reader, Post post);
  ~Campaign();

  void start(Ended ended);
  /// Drops every trajectory under way; `ended` is not called. Nothing that was acknowledged is lost.
  void stop();

  int running() const { return static_cast<int>(running_.size()); }
  /// Every running trajectory waits for models and for nothing else; `verdicts_too`: or for verdicts.
  bool only_waiting(bool verdicts_too) const;

 private:
  void start_next();
  void trajectory_ended(std::size_t index, std::exception_ptr error);
  void finish(std::exception_ptr error);

  Services& services_;
  const Plan& plan_;
  Enrolled enrolled_;
  const store::Reader& reader_;
  Post post_;
  Ended ended_;
  std::size_t next_ = 0;
  std::vector<std::shared_ptr<const Task>> tasks_;
  std::vector<strategies::StrategyFunction> strategies_;  // one a trajectory's label
  std::map<std::size_t, std::unique_ptr<Trajectory>> running_;
};

}  // namespace ridgeline::campaign
