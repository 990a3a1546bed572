// Which request is in which batch. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::llm {

class OpenBatches {
 public:
  void add(const std::string& batch, const std::vector<std::string>& custom_ids);
  /// The batch that a request of that id waits for, instead of being sent again: the one added last, if
  /// several hold it.
  std::optional<std::string> batch_of(const std::string& custom_id) const;
  /// The request got what its batch had for it: asked again, it is sent again. Returns all batches that held
  /// it.
  std::vector<std::string> settle(const std::string& custom_id);
  /// The batch never was, or is another's.
  void drop(const std::string& batch);

 private:
  std::map<std::string, std::vector<std::string>> batches_of_;  ///< by id, in the order of adding
};

}  // namespace ridgeline::llm
