#include "engine/export/splits.hpp"

#include "engine/core/hash.hpp"

namespace ridgeline::exporting {

Split split_of(const std::string& name) {
  const auto digits = sha256_of({"ridgeline split", name}).substr(0, 8);
  const auto percent = std::stoul(digits, nullptr, 16) % 100;
  if (percent < 80) return Split::train;
  return percent < 90 ? Split::validation : Split::test;
}

Split split_by(SplitBy by, const std::string& task, const std::string& category) {
  switch (by) {
    case SplitBy::task:
      return split_of(task);
    case SplitBy::category:
      return split_of(category);
    case SplitBy::none:
      return Split::train;
  }
  return Split::train;
}

}  // namespace ridgeline::exporting
