#include "engine/compare/code_rows.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "engine/code_quality/measure.hpp"
#include "engine/code_quality/source_text.hpp"
#include "engine/compare/compare.hpp"
#include "engine/core/statistics.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::compare {
namespace {

/// The figures of one row before they are summed up.
struct RowValues {
  int unread = 0;
  std::vector<double> indices, complexities, most;
};

/// Each kernel once, though several trajectories may have it.
class Sources {
 public:
  /// Its place among `list`; nullopt if the store lacks it.
  std::optional<std::size_t> place_of(const store::Reader& reader, const Hash& hash) {
    const auto [known, unknown] = places_.try_emplace(hash);
    if (!unknown) return known->second;
    if (auto candidate = reader.candidate(hash)) {
      known->second = list.size();
      list.push_back(std::move(*candidate));
    }
    return known->second;
  }
  std::vector<Candidate> list;

 private:
  std::map<Hash, std::optional<std::size_t>> places_;
};

}  // namespace

void add_code_rows(Comparison& comparison, const std::vector<const store::Reader*>& readers) {
  Sources sources;
  std::vector<std::pair<std::size_t, std::size_t>> kernels;  // strategy, place
  for (const auto& trajectory : comparison.trajectories) {
    if (!trajectory.callable || trajectory.store >= readers.size()) continue;
    if (const auto place = sources.place_of(*readers[trajectory.store], trajectory.candidate))
      kernels.emplace_back(trajectory.strategy, *place);
  }
  const auto measured = code_quality::measure(sources.list);
  std::map<std::pair<std::size_t, bool>, RowValues> rows;
  for (const auto& [strategy, place] : kernels) {
    auto& row = rows[{strategy, code_quality::is_python(sources.list[place].language)}];
    const auto& figures = measured.figures[place];
    row.unread += !figures;
    if (!figures) continue;
    row.indices.push_back(figures->index);
    row.complexities.push_back(figures->mean_complexity);
    row.most.push_back(figures->most_complexity);
  }
  for (auto& [key, values] : rows) {
    CodeRow row{.strategy = key.first,
                .python = key.second,
                .kernels = static_cast<int>(values.indices.size()),
                .unread = values.unread};
    if (row.kernels > 0) {
      row.lowest_index = std::ranges::min(values.indices);
      row.most_complexity = std::ranges::max(values.most);
      row.index = median(std::move(values.indices));
      row.complexity = median(std::move(values.complexities));
    }
    comparison.code.push_back(row);
  }
  if (!measured.why_no_python_figures.empty())
    comparison.notes.push_back("no maintainability of Python kernels: " + measured.why_no_python_figures);
}

}  // namespace ridgeline::compare
