#include "engine/worker/judge/timing/host_core.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "engine/core/available_cpus.hpp"
#include "engine/core/statistics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kLeastCores = 2;  // one for the timed processes, one for the judge
constexpr std::size_t kWords = 4096;    // of 8 bytes: small enough for a core's own cache
constexpr int kRounds = 5;
constexpr int kPasses = 12;  // a round, some 50 µs

/// Does many independent additions and loads. A neighbour on the same physical core halves their rate, as it
/// does an interpreter's.
std::uint64_t pass(const std::array<std::uint64_t, kWords>& words, std::uint64_t seed) {
  std::array<std::uint64_t, 8> sums{};
  sums.fill(seed);
  for (std::size_t i = 0; i < kWords; i += sums.size())
    for (std::size_t lane = 0; lane < sums.size(); ++lane)
      sums[lane] = (sums[lane] << 7) ^ (sums[lane] + words[i + lane]);
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

double seconds_here() {
  static const auto words = [] {
    std::array<std::uint64_t, kWords> filled{};
    std::iota(filled.begin(), filled.end(), std::uint64_t{1});
    return filled;
  }();
  static volatile std::uint64_t sink = 0;
  sink = pass(words, sink);
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = profiler::wall_seconds();
    for (int i = 0; i < kPasses; ++i) sink = pass(words, sink);
    rounds.push_back(profiler::wall_seconds() - begin);
  }
  return median(rounds);
}

cpu_set_t set_of(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(static_cast<std::size_t>(core), &set);
  return set;
}

}  // namespace

std::optional<int> fastest_core(const std::vector<int>& cores) {
  std::optional<int> fastest;
  double least = std::numeric_limits<double>::infinity();
  for (const int core : cores) {
    const OnCores there({core});
    if (available_cpus() != std::vector{core}) continue;
    const double seconds = seconds_here();
    if (seconds < least) fastest = core;
    least = std::min(least, seconds);
  }
  return fastest;
}

OnCores::OnCores(const std::vector<int>& cores) {
  cpu_set_t before, wanted = set_of(cores);
  if (::sched_getaffinity(0, sizeof before, &before) != 0) return;
  if (::sched_setaffinity(0, sizeof wanted, &wanted) == 0) before_ = before;
}

OnCores::~OnCores() {
  if (before_) ::sched_setaffinity(0, sizeof *before_, &*before_);
}

void SharedCore::give_back() {
  others_.reset();
  claim_.reset();
  core_.reset();
  const auto all = set_of(available_cpus());
  for (const pid_t process : std::exchange(moved_, {})) {
    siginfo_t state{};  // the id may belong to another process by now, unless it is still our child
    if (::waitid(P_PID, static_cast<id_t>(process), &state, WEXITED | WNOWAIT | WNOHANG | __WALL) == 0)
      ::sched_setaffinity(process, sizeof all, &all);
  }
}

void SharedCore::move(const std::vector<pid_t>& processes) {
  give_back();
  auto cores = available_cpus();
  if (cores.size() < kLeastCores) return;
  std::map<int, CoreClaim> claims;  // claimed cores are not even visited: others time there
  std::vector<int> free;
  for (const int core : cores)
    if (auto claim = CoreClaim::take(core)) {
      claims.emplace(core, std::move(*claim));
      free.push_back(core);
    }
  core_ = fastest_core(free.empty() ? cores : free);
  if (!core_) return;
  if (const auto mine = claims.find(*core_); mine != claims.end()) claim_ = std::move(mine->second);
  const auto only = set_of({*core_});
  for (const pid_t process : processes)
    if (process > 0 && ::sched_setaffinity(process, sizeof only, &only) == 0) moved_.push_back(process);
  std::erase(cores, *core_);
  auto unclaimed = cores;
  std::erase_if(unclaimed, [&](int core) { return !claims.contains(core); });  // others time there
  others_.emplace(unclaimed.empty() ? cores : unclaimed);
}

}  // namespace ridgeline::judge
