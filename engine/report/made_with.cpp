#include "engine/report/made_with.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "engine/compare/labels.hpp"
#include "engine/core/short_number.hpp"
#include "engine/core/version.hpp"
#include "engine/report/commit.hpp"
#include "engine/report/html.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::report {
namespace {

using compare::Comparison;

std::string date_of(store::Milliseconds at) {
  if (at <= 0) return "–";
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(static_cast<std::time_t>(at / 1000)));
}

std::string campaigns_table(const std::vector<Source>& sources) {
  std::vector<std::vector<Markup>> rows;
  for (const auto& source : sources) {
    if (source.reader == nullptr) continue;
    for (const auto& campaign : source.reader->campaigns()) {
      const auto run = source.reader->last_run(campaign.id);
      rows.push_back({{escaped(campaign.name)},
                      {escaped(source.path)},
                      {date_of(campaign.created_at)},
                      {run ? date_of(run->ended_at) : "–"},
                      {escaped("ridgeline " + campaign.engine_version)},
                      {escaped(campaign.config_hash.substr(0, 8))},
                      {escaped(campaign.prompts_hash.substr(0, 8))}});
    }
  }
  if (rows.empty()) return "";
  return table_html("campaigns",
                    {"campaign", "store", "created", "last run ended", "by", "configuration", "prompts"},
                    rows);
}

std::string devices_table(const std::vector<Source>& sources, const Comparison& comparison) {
  std::set<std::string> seen;
  std::map<std::string, std::string> baselines;
  std::vector<std::vector<Markup>> rows;
  for (const auto& source : sources) {
    if (source.reader == nullptr) continue;
    for (const auto& baseline : source.reader->baselines())
      if (baseline.kind == store::BaselineKind::eager) baselines[baseline.device] = baseline.description;
    for (const auto& device : source.reader->devices()) {
      if (!seen.insert(device.name).second) continue;
      std::string peaks;
      for (const auto& peak : device.ceilings.peaks)
        peaks += fmt::format("{}{} {}", peaks.empty() ? "" : ", ", peak.unit,
                             short_number(peak.operations_per_second / 1e9));
      const auto* floor = compare::floor_of(comparison.noise_floors, device.name);
      rows.push_back({{escaped(device.name)},
                      {date_of(device.seen_at)},
                      {device.ceilings.bandwidth > 0 ? short_number(device.ceilings.bandwidth / 1e9) : "–"},
                      {peaks.empty() ? "–" : escaped(peaks)},
                      {floor == nullptr ? "not known"
                                        : fmt::format("{:.3f}× ({} kernels)", floor->ratio, floor->kernels)},
                      {escaped(baselines.contains(device.name) ? baselines[device.name] : "–")}});
    }
  }
  if (rows.empty()) return "";
  return table_html("devices",
                    {"device", "measured", "memory GB/s", "peaks, Gop/s", "noise floor", "baseline"}, rows);
}

/// All settings: those that every strategy shares in one column, the others in each strategy's.
std::string settings_table(const Comparison& comparison) {
  std::set<std::string> paths;
  for (const auto& row : comparison.strategies)
    for (const auto& [path, value] : row.identity.settings) paths.insert(path);
  if (paths.empty()) return "";
  std::vector<std::vector<Markup>> rows;
  for (const auto& path : paths) {
    std::map<std::string, std::string> strategies;  // by value
    for (const auto& row : comparison.strategies) {
      const auto found = row.identity.settings.find(path);
      if (found == row.identity.settings.end()) continue;
      auto& names = strategies[found->second];
      names += (names.empty() ? "" : ", ") + row.label;
    }
    const bool all =
        strategies.size() == 1 && std::ranges::all_of(comparison.strategies, [&](const auto& row) {
          return row.identity.settings.contains(path);
        });
    for (const auto& [value, names] : strategies)
      rows.push_back(
          {{escaped(path)}, {escaped(compare::value_text(value))}, {all ? "all" : escaped(names)}});
  }
  return folded("all-settings", fmt::format("models and settings ({})", paths.size()),
                table_html("settings", {"setting", "value", "of"}, rows));
}

}  // namespace

std::string made_with(const Comparison& comparison, const std::vector<Source>& sources) {
  auto out = campaigns_table(sources) + devices_table(sources, comparison) + settings_table(comparison);
  std::string files;
  for (const auto& source : sources) files += " " + source.path;
  if (!files.empty())
    out += "<p class=\"quiet\">The same figures in a terminal: <code>" +
           escaped("ridgeline compare" + files) + "</code>; for programs: <code>--json</code>.</p>\n";
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return out + fmt::format("<p class=\"quiet\">Written {} by ridgeline {}{}.</p>\n", date_of(now.count()),
                           version, commit.empty() ? "" : ", commit " + escaped(commit));
}

}  // namespace ridgeline::report
