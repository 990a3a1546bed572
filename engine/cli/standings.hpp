// How each trajectory of a store stands, from the columns kept for SQL: no verdict is read.
#pragma once

#include <map>

#include "engine/cli/history_text.hpp"

namespace ridgeline::cli {

/// Trajectories without an evaluation are left out. Throws MachineCannot where the file is damaged.
std::map<store::Id, Standing> standings_of(const store::Reader& reader);

}  // namespace ridgeline::cli
