#include "engine/verifier/draw_rows.hpp"

#include <algorithm>
#include <atomic>

#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {

bool DrawRows::any_negative() const {
  if (flags_ != nullptr) return false;
  std::atomic<bool> negative = false;
  in_ranges(static_cast<std::int64_t>(count_ * elements_), [&](std::int64_t begin, std::int64_t end) {
    if (!negative && std::any_of(numbers_ + begin, numbers_ + end, [](double x) { return x < 0; }))
      negative = true;
  });
  return negative;
}

}  // namespace ridgeline::verifier
