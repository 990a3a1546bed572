// Shows campaigns at a glance, as HTML: what was spent, and how every trajectory stands. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/store/reader.hpp"

namespace ridgeline::serve {

/// Everything that the overview shows of a campaign.
struct CampaignView {
  store::CampaignRecord campaign;
  std::vector<store::TrajectoryRecord> trajectories;
  std::vector<store::AttemptBrief> briefs;
  std::map<store::Id, store::Totals> spent;  ///< by trajectory
  store::Totals total;
};

/// Reads a campaign from the store.
CampaignView read_campaign(const store::Reader& reader, store::CampaignRecord campaign);

/// The most rows that a campaign's table has. If there are more, running trajectories come first.
inline constexpr std::size_t most_rows = 1000;

/// Returns a campaign's section of the page.
std::string overview_html(const CampaignView& view);

}  // namespace ridgeline::serve
