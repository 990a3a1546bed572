#include "engine/worker/judge/backends/device_ceilings.hpp"

#include <ATen/Context.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <functional>

#include "engine/cuda/driver.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr int kRepeats = 5;
constexpr std::int64_t kSide = 8192;  // of the matrices: tensor cores reach their peak

/// Returns the seconds of the shortest of several runs, after one that warms up: a ceiling is what the device
/// can do, not what it does on average.
double shortest(const std::function<void()>& work) {
  double best = 0;
  for (int i = 0; i <= kRepeats; ++i) {
    const double begin = profiler::wall_seconds();
    work();
    cuda::check(cuda::driver().cuCtxSynchronize(), "measuring ceilings");
    const double seconds = profiler::wall_seconds() - begin;
    if (i == 1 || (i > 1 && seconds < best)) best = seconds;
  }
  return best;
}

double product_rate(at::ScalarType type, std::int64_t side, int device) {
  const auto options =
      at::TensorOptions().device(at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device)));
  const double operations = 2.0 * static_cast<double>(side * side * side);
  if (type == at::kChar) {
    const auto a = at::randint(-8, 8, {side, side}, options.dtype(type));
    const auto b = at::randint(-8, 8, {side, side}, options.dtype(type)).t();
    return operations / shortest([&] { at::_int_mm(a, b); });
  }
  const auto a = at::randn({side, side}, options.dtype(type)),
             b = at::randn({side, side}, options.dtype(type));
  return operations / shortest([&] { at::matmul(a, b); });
}

double copy_rate(DeviceTools& tools) {
  constexpr std::size_t bytes = std::size_t{1} << 30;
  const auto from = cuda::make_shared_memory(bytes, tools.device()),
             to = cuda::make_shared_memory(bytes, tools.device());
  tools.jobs().run({cuda::Move{from.mapping.address(), 0, bytes, 0x3ff0123456789abcULL}});
  const double seconds = shortest(
      [&] { tools.jobs().run({cuda::Move{to.mapping.address(), from.mapping.address(), bytes, 0}}); });
  return 2.0 * bytes / seconds;
}

double cache_rate(const cuda::DeviceFacts& facts, DeviceTools& tools) {
  const std::size_t bytes = std::max<std::size_t>(facts.l2_bytes / 4, std::size_t{1} << 20);
  const auto memory = cuda::make_shared_memory(bytes, tools.device());
  constexpr int rounds = 16;  // in one list of jobs, so that the time of launches is negligible
  const std::vector<cuda::Move> moves(rounds, cuda::Move{memory.mapping.address(), 0, bytes, 1});
  return rounds * static_cast<double>(bytes) / shortest([&] { tools.jobs().run(moves); });
}

}  // namespace

Ceilings measure_device_ceilings(const cuda::DeviceFacts& facts, DeviceTools& tools) {
  Ceilings ceilings;
  ceilings.device = facts.name;
  ceilings.threads = facts.multiprocessors;
  ceilings.cache_bytes = static_cast<double>(facts.l2_bytes);
  ceilings.bandwidth = copy_rate(tools);
  ceilings.cache_bandwidth = cache_rate(facts, tools);
  const int device = tools.device();
  ceilings.peaks = {{"fp32", product_rate(at::kFloat, kSide / 2, device)},
                    {"fp64", product_rate(at::kDouble, kSide / 2, device)},
                    {"fp16", product_rate(at::kHalf, kSide, device)},
                    {"bf16", product_rate(at::kBFloat16, kSide, device)},
                    {"int8", product_rate(at::kChar, kSide, device)}};
  // TF32 is off for every reference, and must be off again afterwards.
  at::globalContext().setAllowTF32CuBLAS(true);
  ceilings.peaks.push_back({"tf32", product_rate(at::kFloat, kSide, device)});
  at::globalContext().setAllowTF32CuBLAS(false);
  return ceilings;
}

}  // namespace ridgeline::judge
