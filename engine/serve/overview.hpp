// Renders a campaign at a glance, as HTML: what was spent, and the state of every trajectory. Pure, apart
// from read_campaign.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/store/reader.hpp"

namespace ridgeline::serve {

/// Holds everything that the overview shows of a campaign.
struct CampaignView {
  store::CampaignRecord campaign;
  std::vector<store::TrajectoryRecord> trajectories;
  std::vector<store::AttemptBrief> briefs;
  std::map<store::Id, store::Totals> spent;  ///< by trajectory
  store::Totals total;
};

/// Reads a campaign from the store.
CampaignView read_campaign(const store::Reader& reader, store::CampaignRecord campaign);

/// The most rows of a campaign's table. If there are more trajectories, running ones come first.
inline constexpr std::size_t most_rows = 1000;

/// Returns a campaign's section of the page.
std::string overview_html(const CampaignView& view);

}  // namespace ridgeline::serve
