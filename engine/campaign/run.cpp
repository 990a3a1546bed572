#include "engine/campaign/run.hpp"

#include "engine/campaign/run_session.hpp"

namespace ridgeline::campaign {

RunResult run_campaign(const CampaignConfig& config, const Plan& plan, Progress& progress,
                       const RunOptions& options) {
  RunSession session(config, plan, progress, options);
  return session.run();
}

}  // namespace ridgeline::campaign
