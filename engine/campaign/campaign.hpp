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

#include "engine/campaign/plan.hpp"
#include "engine/campaign/trajectory.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::campaign {

/// Finds or makes the campaign and its trajectories in the store. Trajectories are known by task, strategy
/// label and settings, model and seed, so a file that gained tasks or seeds goes on with what there is and
/// adds the rest.
struct Enrolled {
  store::CampaignRecord campaign;
  std::vector<store::TrajectoryRecord> trajectories;  ///< in plan order
  std::vector<std::size_t> tasks;                     ///< index into the plan's tasks, one a trajectory
  std::vector<bool> known;  ///< one a trajectory: it was in the store, and may have a journal
};
Enrolled enroll(const Plan& plan, const CampaignConfig& config, const prompts::Templates& templates,
                const store::Reader& reader, store::Writer& writer, store::Milliseconds now);

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
  /// Every running trajectory waits for models and for nothing else.
  bool only_waiting_for_models() const;

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
  std::vector<StrategyFunction> strategies_;  // one a trajectory's label
  std::map<std::size_t, std::unique_ptr<Trajectory>> running_;
};

}  // namespace ridgeline::campaign
