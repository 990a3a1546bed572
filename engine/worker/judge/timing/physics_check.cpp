#include "engine/worker/judge/timing/physics_check.hpp"

#include <fmt/format.h>

namespace ridgeline::judge {
namespace {

// Measured peaks are a little below what a kernel by hand can reach, so a flag needs a clear excess.
constexpr double kOverPeak = 1.5;

}  // namespace

std::string describe(const AbovePeak& excess) {
  return fmt::format(
      "operations over peak ({:.1f}x): the calls skipped work, or algebra needs fewer operations than the "
      "task's definition counts (as two constant weights multiplied once); no proof of cheating",
      excess.ratio);
}

PhysicsCheck check_physics(const Task& task, const Case& shape, double seconds, const Ceilings& ceilings,
                           double bandwidth) {
  const double bytes = task.bytes.evaluate(shape.sizes);
  const double floor = physics_floor(ceilings, bytes, bandwidth);
  if (!(seconds > 0 && seconds >= floor)) return BelowFloor{floor, bytes};
  const auto tensors = task.tensors();
  const double peak = ceilings.fastest_for(tensors.empty() ? DType::float32 : tensors.front()->dtype);
  const double operations = task.operations.evaluate(shape.sizes);
  if (peak > 0 && operations / seconds > kOverPeak * peak) return AbovePeak{operations / seconds / peak};
  return Plausible{};
}

}  // namespace ridgeline::judge
