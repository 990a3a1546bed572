#include "engine/compare/speed.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/compare/paired_statistics.hpp"

namespace ridgeline::compare {
namespace {

constexpr int speed_resamples = 2000;

}  // namespace

Speed speed_of(std::vector<TimedKernel> kernels) {
  std::erase_if(kernels, [](const TimedKernel& kernel) { return kernel.speedup <= 0; });
  if (kernels.empty()) return {};
  // Resampling draws by position, and sums depend on their order.
  std::sort(kernels.begin(), kernels.end(), [](const TimedKernel& a, const TimedKernel& b) {
    return std::tie(a.task, a.speedup) < std::tie(b.task, b.speedup);
  });
  std::vector<Cluster> tasks;
  double sum = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (i == 0 || kernels[i].task != kernels[i - 1].task) tasks.push_back({0, 0});
    const double speed = std::log(kernels[i].speedup);
    tasks.back().sum += speed;
    ++tasks.back().count;
    sum += speed;
  }
  const auto interval = clustered_interval(tasks, speed_resamples, 0.95);
  return {.kernels = static_cast<int>(kernels.size()),
          .mean = std::exp(sum / static_cast<double>(kernels.size())),
          .interval = {std::exp(interval.low), std::exp(interval.high)}};
}

}  // namespace ridgeline::compare
