// What can be said of any machine: figures are positive, and relations between them hold by construction.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "profiler/cache_flush.hpp"
#include "profiler/cpu_ceilings.hpp"
#include "profiler/cpu_info.hpp"
#include "profiler/perf_counters.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::profiler {
namespace {

TEST(CpuCeilings, EveryFigureIsMeasured) {
  const auto ceilings = measure_cpu_ceilings();
  EXPECT_GT(ceilings.bandwidth, 1e8);
  EXPECT_GT(ceilings.cache_bandwidth, 1e8);
  EXPECT_GT(ceilings.cache_bytes, 0);
  EXPECT_EQ(ceilings.threads, 1);
  ASSERT_EQ(ceilings.peaks.size(), 3u);
  for (const auto& peak : ceilings.peaks) EXPECT_GT(peak.operations_per_second, 1e8) << peak.unit;
  // Twice as many numbers fit a vector; a factor of 1.2 leaves room for a disturbed measure.
  EXPECT_GT(ceilings.peak_for(DType::float32), 1.2 * ceilings.peak_for(DType::float64));
  EXPECT_GT(theoretical_bandwidth(ceilings), ceilings.bandwidth);
  std::printf("bandwidth %.1f GB/s, cache %.1f GB/s, fp32 %.1f, fp64 %.1f, int8 %.1f G/s\n",
              ceilings.bandwidth / 1e9, ceilings.cache_bandwidth / 1e9,
              ceilings.peaks[0].operations_per_second / 1e9, ceilings.peaks[1].operations_per_second / 1e9,
              ceilings.peaks[2].operations_per_second / 1e9);
}

TEST(CpuInfo, KnowsNameAndCache) {
  EXPECT_FALSE(cpu_name().empty());
  EXPECT_GE(last_level_cache_bytes(), std::size_t{64} << 10);
}

TEST(CacheFlush, LeavesTheBytesAsTheyWere) {
  std::vector<unsigned char> bytes(100'001);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 31);
  const auto copy = bytes;
  flush_from_caches(bytes.data() + 1, bytes.size() - 2);
  EXPECT_EQ(std::memcmp(bytes.data(), copy.data(), copy.size()), 0);
}

TEST(ProcessClock, SeesAnotherProcessWorkAndNotWait) {
  int pipe_to_child[2];
  int pipe_back[2];
  ASSERT_EQ(::pipe(pipe_to_child), 0);
  ASSERT_EQ(::pipe(pipe_back), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  char byte = 0;
  if (child == 0) {
    while (::read(pipe_to_child[0], &byte, 1) == 1) {
      const double until = thread_cpu_seconds() + 0.02;
      while (thread_cpu_seconds() < until) {
      }
      if (::write(pipe_back[1], &byte, 1) != 1) break;
      if (byte == 'q') break;
    }
    ::_exit(0);
  }
  const double before = process_cpu_seconds(child).value_or(-1);
  ASSERT_GE(before, 0);
  ASSERT_EQ(::write(pipe_to_child[1], "w", 1), 1);
  ASSERT_EQ(::read(pipe_back[0], &byte, 1), 1);
  const double worked = process_cpu_seconds(child).value_or(-1) - before;
  EXPECT_GE(worked, 0.0199);
  ASSERT_EQ(::write(pipe_to_child[1], "q", 1), 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(process_cpu_seconds(child), std::nullopt);
  for (const int fd : {pipe_to_child[0], pipe_to_child[1], pipe_back[0], pipe_back[1]}) ::close(fd);
}

TEST(PerfCounters, EitherCountOrSayWhyNot) {
  PerfCounters counters(0);
  counters.start();
  volatile double sum = 0;
  for (int i = 0; i < 100'000; ++i) sum = sum + i;
  const auto read = counters.stop(2);
  if (!counters.access().readable) {
    EXPECT_TRUE(read.empty());
    EXPECT_NE(counters.access().why_not.find("perf_event_open"), std::string::npos);
    return;
  }
  ASSERT_FALSE(read.empty());
  for (const auto& one : read) EXPECT_EQ(one.source, Source::perf);
  const auto access = probe_perf_counters();
  EXPECT_TRUE(access.readable) << access.why_not;
}

}  // namespace
}  // namespace ridgeline::profiler
