// Names the rows of a comparison, so that what differs between two of them can be read off. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/compare/settings.hpp"

namespace ridgeline::compare {

/// What a row of a comparison is about. Fields by which trajectories were not grouped are empty.
struct RowIdentity {
  std::string strategy, model, language, campaign;
  /// How its tasks are posed ("bf16", "1/4"), if not as their files have them. Always told apart: a task in
  /// another precision is another task.
  std::string posed;
  std::string side;   ///< "before" or "after" a change; "" if none is looked into
  Settings settings;  ///< those by which trajectories were grouped
  bool operator==(const RowIdentity&) const = default;
};

/// A setting that is not the same in all rows.
struct SettingDifference {
  std::string path;
  std::vector<std::string> values;  ///< one for each row, as JSON; "" where it has no such setting
};

/// Returns the settings that differ between rows of one strategy, and those conditions (the generator,
/// prompts, evaluation, budget) that differ between any rows, by path. What is a strategy's own is no
/// difference between two strategies, but what they are.
std::vector<SettingDifference> setting_differences(const std::vector<RowIdentity>& rows);

/// Returns a label for each row, all different: the strategy, with model and language if there are several of
/// them, and the first of the settings in which it differs: "best_of_n · larger · n 10 · +2 more".
std::vector<std::string> labels_of(const std::vector<RowIdentity>& rows,
                                   const std::vector<SettingDifference>& differences);

/// Returns the conditions in which two rows differ, which a comparison of two strategies should have equal.
std::vector<Part> differing_conditions(const RowIdentity& first, const RowIdentity& second);

/// Writes a setting's value for people: without quotes, a hash as its first eight digits; "unset" for "".
std::string value_text(const std::string& value);

}  // namespace ridgeline::compare
