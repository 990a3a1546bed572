// Writes the identity of a trajectory: everything that could change its requests and verdicts, as one JSON
// document.
//
// A campaign goes on only with trajectories whose documents are the same. Otherwise answers and verdicts that
// were obtained under other settings would be mixed. Keys, limits, prices, retries, time-outs, shared budgets
// and how many workers there are change neither requests nor verdicts and are left out. A model's further
// headers may change its answers (a beta feature, a routing hint); their values are kept as hashes, since
// they may be secrets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/campaign/plan.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::campaign {

/// Holds the part of an identity that all trajectories of a campaign share and that its plan does not name.
struct Conditions {
  Hash prompts;    ///< hash of the campaign's template set
  Hash knowledge;  ///< hash of the knowledge folder's files; "" if the campaign names no folder
  prompts::Machine machine;
  protocol::EvaluateSettings evaluate;
  std::map<std::string, std::string> models;  ///< from `model_documents`
  std::map<std::string, Hash> own_prompts;    ///< hashes of the sets of strategies that have one, by label
};

/// Describes each model by what could change its answers, as JSON by the model's name. Reads whole
/// recordings, since their content counts and not their path: call it once per campaign.
std::map<std::string, std::string> model_documents(const CampaignConfig& config);

/// Returns the identity as JSON with sorted keys.
std::string identity_of(const PlannedTrajectory& planned, const Plan& plan, const CampaignConfig& config,
                        const Conditions& conditions);

struct Difference {
  std::string path;  ///< "models.generator.id"
  std::string before;
  std::string now;  ///< both as JSON; "absent" where there is no such key
  auto operator<=>(const Difference&) const = default;
};

/// Lists the leaves in which two identities differ, by path. A text that is no JSON object counts as one leaf
/// with the path "identity".
std::vector<Difference> differences(const std::string& before, const std::string& now);

}  // namespace ridgeline::campaign
