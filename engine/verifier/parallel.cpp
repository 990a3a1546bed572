#include "engine/verifier/parallel.hpp"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace ridgeline::verifier {
namespace {

/// Hands out pieces to threads until none is left, and keeps the first exception.
class Pieces {
 public:
  Pieces(std::int64_t count, const std::function<void(std::int64_t)>& work) : count_(count), work_(work) {}

  void take() noexcept {
    try {
      for (auto piece = next_++; piece < count_; piece = next_++) work_(piece);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!problem_) problem_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  std::int64_t count_;
  const std::function<void(std::int64_t)>& work_;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr problem_;
};

}  // namespace

void in_parallel(std::int64_t count, const std::function<void(std::int64_t)>& work) {
  Pieces pieces(count, work);
  {
    // The calling thread works too; the helpers join at the end of this block.
    std::vector<std::jthread> helpers;
    const auto threads = std::min<std::int64_t>(at::get_num_threads(), count);
    for (std::int64_t i = 1; i < threads; ++i) helpers.emplace_back([&] { pieces.take(); });
    pieces.take();
  }
  pieces.rethrow();
}

void in_ranges(std::int64_t count, const std::function<void(std::int64_t, std::int64_t)>& work) {
  in_parallel(ranges_in(count), [&](std::int64_t range) {
    work(range * range_length, std::min(count, (range + 1) * range_length));
  });
}

double sum_in_ranges(std::int64_t count, const std::function<double(std::int64_t, std::int64_t)>& part) {
  std::vector<double> sums(static_cast<std::size_t>(ranges_in(count)));
  in_ranges(count, [&](std::int64_t begin, std::int64_t end) {
    sums[static_cast<std::size_t>(begin / range_length)] = part(begin, end);
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace ridgeline::verifier
