// Campaigns at a glance, as HTML: what was spent, and how every trajectory stands. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/store/reader.hpp"

namespace ridgeline::serve {

struct CampaignView {
  store::CampaignRecord campaign;
  std::vector<store::TrajectoryRecord> trajectories;
  std::vector<store::AttemptBrief> briefs;
  std::map<store::Id, store::Totals> spent;  ///< by trajectory
  store::Totals total;
};

CampaignView look_at(const store::Reader& reader, store::CampaignRecord campaign);

/// At most this many rows a campaign: those that run come first where there are more.
inline constexpr std::size_t most_rows = 1000;

std::string overview_html(const CampaignView& view);

}  // namespace ridgeline::serve
