#include "engine/cuda/number_text.hpp"

namespace ridgeline::cuda {

const char* number_text() {
  return detail::number_texts[0].text;
}

}  // namespace ridgeline::cuda
