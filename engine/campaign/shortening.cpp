#include "engine/campaign/shortening.hpp"

#include <algorithm>

namespace ridgeline::campaign {
namespace {

/// Keeps the last half of `items` at level 1 and a single item beyond. History is ordered towards the latest,
/// ancestors towards the best, so the end is worth most.
template <class T>
void keep_last(std::vector<T>& items, int level) {
  const auto wanted = level == 1 ? (items.size() + 1) / 2 : std::min<std::size_t>(items.size(), 1);
  items.erase(items.begin(), items.end() - static_cast<std::ptrdiff_t>(wanted));
}

bool is_dropped(const Feedback& item, int level) {
  return level >= 2 && (std::holds_alternative<HistoryFeedback>(item.data) ||
                        std::holds_alternative<KnowledgeFeedback>(item.data));
}

}  // namespace

Ask shortened(Ask ask, int level) {
  if (level <= 0) return ask;
  ask.examples = Examples::none;
  std::erase_if(ask.feedback, [&](const Feedback& item) { return is_dropped(item, level); });
  for (auto& item : ask.feedback) {
    if (std::holds_alternative<SourceFeedback>(item.data)) continue;  // a cut source cannot be changed
    item.token_budget = std::max(50, item.token_budget >> level);     // halved per level, still a sentence
    if (auto* history = std::get_if<HistoryFeedback>(&item.data)) keep_last(history->attempts, level);
    if (auto* ancestors = std::get_if<AncestorsFeedback>(&item.data)) {
      keep_last(ancestors->ancestors, level);
      keep_last(ancestors->analyses, level);
    }
  }
  return ask;
}

}  // namespace ridgeline::campaign
