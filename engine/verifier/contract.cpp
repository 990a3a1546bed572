#include "engine/verifier/contract.hpp"

namespace ridgeline::verifier {

int count_index(const std::vector<const Tensor*>& outputs, std::size_t i) {
  if (outputs[i]->count.empty()) return -1;
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (outputs[k]->name == outputs[i]->count) return static_cast<int>(k);
  return -1;
}

}  // namespace ridgeline::verifier
