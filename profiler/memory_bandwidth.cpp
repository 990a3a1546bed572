#include "profiler/memory_bandwidth.hpp"

#include <algorithm>
#include <memory>
#include <new>

#include "profiler/best_of.hpp"
#include "profiler/cache_flush.hpp"
#include "profiler/memory_passes.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::profiler {
namespace {

constexpr std::size_t kColdBytes = std::size_t{8} << 20;  // a buffer; larger ones come no faster
// Bytes that are timed together, so that reading the clock costs little beside them.
constexpr std::size_t kShortPass = std::size_t{512} << 10;
constexpr std::align_val_t kPage{4096};

/// A buffer that was written once, so that page faults do not count.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes)
      : bytes_(bytes), data_(static_cast<std::byte*>(::operator new(bytes, kPage))) {
    std::fill_n(data_, bytes, std::byte{1});
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { ::operator delete(data_, kPage); }

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  std::byte* data_;
};

std::size_t whole_passes(std::size_t bytes) {
  return std::max(pass_unit, bytes / pass_unit * pass_unit);
}

/// Bytes a second of the fastest of `ways` over `bytes` of each buffer; a pass moves `moved` times `bytes`.
double hot_rate(const std::vector<Pass>& ways, Buffer& to, const Buffer& from, std::size_t bytes,
                double moved, double seconds) {
  const std::size_t rounds = std::max<std::size_t>(1, kShortPass / bytes);
  double best = 0;
  for (const auto way : ways) {
    const double took = fastest(seconds, [&] {
      for (std::size_t i = 0; i < rounds; ++i) way(to.data(), from.data(), bytes);
    });
    best = std::max(best, moved * static_cast<double>(rounds * bytes) / took);
  }
  return best;
}

/// The same with both buffers flushed from the caches before each pass.
double cold_rate(const std::vector<Pass>& ways, Buffer& to, const Buffer& from, double moved, int rounds) {
  double best = 0;
  for (const auto way : ways)
    for (int i = 0; i < rounds; ++i) {
      flush_from_caches(to.data(), to.bytes());
      flush_from_caches(from.data(), from.bytes());
      const double begin = wall_seconds();
      way(to.data(), from.data(), to.bytes());
      best = std::max(best, moved * static_cast<double>(to.bytes()) / (wall_seconds() - begin));
    }
  return best;
}

}  // namespace

MemoryLevel measure_cache(const CacheLevel& cache, std::size_t working_set, double seconds) {
  const auto& passes = memory_passes();
  const std::size_t whole = whole_passes(working_set), half = whole_passes(working_set / 2);
  Buffer to(whole);
  const Buffer from(whole);
  return {.name = cache.name,
          .bytes = static_cast<double>(cache.bytes),
          .read = hot_rate(passes.read, to, from, whole, 1, seconds),
          .written = hot_rate(passes.write, to, from, whole, 1, seconds),
          .both = std::max(hot_rate(passes.copy, to, from, half, 2, seconds),
                           hot_rate({passes.update}, to, from, whole, 2, seconds))};
}

MemoryLevel measure_memory(int rounds) {
  const auto& passes = memory_passes();
  Buffer to(kColdBytes);
  const Buffer from(kColdBytes);
  return {.name = "memory",
          .bytes = 0,
          .read = cold_rate(passes.read, to, from, 1, rounds),
          .written = cold_rate(passes.write, to, from, 1, rounds),
          .both = cold_rate(passes.copy, to, from, 2, rounds)};
}

}  // namespace ridgeline::profiler
