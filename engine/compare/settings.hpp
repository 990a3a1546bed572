// What makes a strategy that is compared: not its name alone, but all settings under which it ran. Two that
// differ anywhere are two rows of a comparison. Pure, but for the reading of a store's records.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/core/names.hpp"

namespace ridgeline::store {
struct TrajectoryRecord;
}

namespace ridgeline::compare {

/// Parts of what makes a strategy, by which trajectories are grouped into rows.
enum class Part {
  strategy,  ///< the preset's name
  settings,  ///< the strategy's own
  models,    ///< of every role: id, endpoints, temperature, headers, …
  language,
  prompts,     ///< the set of templates, and the knowledge folder
  evaluation,  ///< how candidates are judged, and the machine that prompts describe
  budget,      ///< the campaign's caps of a trajectory
  campaign     ///< the campaign's name
};
constexpr auto enum_names(Part) {
  return std::to_array<Name<Part>>({{Part::strategy, "strategy"},
                                    {Part::settings, "settings"},
                                    {Part::models, "models"},
                                    {Part::language, "language"},
                                    {Part::prompts, "prompts"},
                                    {Part::evaluation, "evaluation"},
                                    {Part::budget, "budget"},
                                    {Part::campaign, "campaign"}});
}

/// All parts but the campaign's name, which is no setting.
std::vector<Part> default_parts();

/// Settings as JSON values by path: "strategy.settings.n" is "6", "models.generator.id" is "\"MODEL\"".
using Settings = std::map<std::string, std::string>;
using SharedSettings = std::shared_ptr<const Settings>;

/// Returns the part that a path belongs to: `settings` for "strategy.…", `evaluation` if it is not known.
/// Never `strategy` or `campaign`, which are no paths.
Part part_of(const std::string& path);

/// Keeps each set of settings once, since thousands of trajectories have the same. Not thread-safe.
class SettingsReader {
 public:
  /// Returns the trajectory's settings, from its identity (campaign/identity.hpp) without task and seed. A
  /// record of an early ridgeline 0.1, which has no identity, gives its strategy's settings, its language and
  /// `prompts`.
  SharedSettings read(const store::TrajectoryRecord& trajectory, const Hash& prompts);

 private:
  std::map<std::string, SharedSettings> known_;  // by text
};

}  // namespace ridgeline::compare
