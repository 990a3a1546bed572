#include "engine/worker/runner/ticks.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ridgeline::runner {

std::uint64_t ticks() {
#if defined(__x86_64__)
  unsigned processor = 0;
  return __rdtscp(&processor);  // waits until earlier instructions are done
#elif defined(__aarch64__)
  std::uint64_t value = 0;
  asm volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
#error "which counter has ticks of constant length here?"
#endif
}

}  // namespace ridgeline::runner
