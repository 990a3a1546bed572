#include "engine/worker/judge/metric_log.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "profiler/metrics.hpp"

namespace ridgeline::judge {

MetricLog::MetricLog(std::string file) : file_(std::move(file)) {}

void MetricLog::line(std::string_view request, double seconds) const {
  const auto sums = profiler::take_metrics();
  if (file_.empty()) return;
  nlohmann::json parts = nlohmann::json::object();
  for (const auto& sum : sums) parts[std::string(sum.name)] = {sum.seconds, sum.count};
  std::ofstream(file_, std::ios::app)
      << nlohmann::json{{"request", request}, {"seconds", seconds}, {"parts", parts}}.dump() + "\n";
}

}  // namespace ridgeline::judge
