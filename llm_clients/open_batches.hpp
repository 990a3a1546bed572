// Knows which open batches hold which request, so that a request that was sent before is not sent again.
// Does no I/O.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::llm {

class OpenBatches {
 public:
  void add(const std::string& batch, const std::vector<std::string>& custom_ids);
  /// Returns the batch that a request of that id has to wait for; the one added last, if several hold it.
  std::optional<std::string> batch_of(const std::string& custom_id) const;
  /// Removes a request that got its result; if it is requested again, it is sent again. Returns all batches
  /// that held it.
  std::vector<std::string> finish_request(const std::string& custom_id);
  /// Removes a batch that was never created, or that holds other requests.
  void drop(const std::string& batch);

 private:
  std::map<std::string, std::vector<std::string>> batches_of_;  ///< by custom_id; in the order of `add`
};

}  // namespace ridgeline::llm
