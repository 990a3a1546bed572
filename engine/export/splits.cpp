#include "engine/export/splits.hpp"

#include "engine/core/hash.hpp"

namespace ridgeline::exporting {

Split split_of(const std::string& task_name) {
  const auto digits = sha256_of({"ridgeline split", task_name}).substr(0, 8);
  const auto percent = std::stoul(digits, nullptr, 16) % 100;
  if (percent < 80) return Split::train;
  return percent < 90 ? Split::validation : Split::test;
}

}  // namespace ridgeline::exporting
