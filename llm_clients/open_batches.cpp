#include "llm_clients/open_batches.hpp"

namespace ridgeline::llm {

void OpenBatches::add(const std::string& batch, const std::vector<std::string>& custom_ids) {
  for (const auto& id : custom_ids) batches_of_[id].push_back(batch);
}

std::optional<std::string> OpenBatches::batch_of(const std::string& custom_id) const {
  const auto found = batches_of_.find(custom_id);
  if (found == batches_of_.end()) return std::nullopt;
  // The last one: an earlier batch may have ended without it, which is why it was sent again.
  return found->second.back();
}

std::vector<std::string> OpenBatches::finish_request(const std::string& custom_id) {
  auto node = batches_of_.extract(custom_id);
  return node ? std::move(node.mapped()) : std::vector<std::string>{};
}

void OpenBatches::drop(const std::string& batch) {
  for (auto& [id, batches] : batches_of_) std::erase(batches, batch);
  // `batch_of` relies on it that no list is empty.
  std::erase_if(batches_of_, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace ridgeline::llm
