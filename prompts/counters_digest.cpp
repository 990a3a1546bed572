#include "prompts/counters_digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "engine/core/counters.hpp"
#include "prompts/text.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

constexpr double kWorthSaying = 0.01;    // share of the warps' time
constexpr std::size_t kMostKernels = 6;  // the longest; a module may launch hundreds
constexpr std::size_t kMostName = 80;    // bytes: names of templates run to kilobytes

/// Launches of one kernel with one shape, added up: a loop of a hundred equal launches is one fact.
struct KernelSum {
  const KernelLaunch* first = nullptr;
  int times = 0;
  double seconds = 0, dram_bytes = 0;
};

std::vector<KernelSum> sums_of(const std::string& case_name, std::span<const KernelLaunch> launches) {
  std::vector<KernelSum> sums;
  for (const auto& launch : launches) {
    if (launch.case_name != case_name) continue;
    auto same = std::find_if(sums.begin(), sums.end(), [&](const KernelSum& sum) {
      return sum.first->kernel == launch.kernel && sum.first->grid == launch.grid &&
             sum.first->block == launch.block;
    });
    if (same == sums.end()) same = sums.insert(sums.end(), {&launch});
    ++same->times;
    same->seconds += launch.seconds;
    same->dram_bytes += launch.dram_bytes;
  }
  std::stable_sort(sums.begin(), sums.end(),
                   [](const KernelSum& a, const KernelSum& b) { return a.seconds > b.seconds; });
  return sums;
}

std::string spaced(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

class Lines {
 public:
  Lines(const Roofline& roofline, std::span<const KernelLaunch> launches)
      : roofline_(roofline), sums_(sums_of(roofline.case_name, launches)) {}

  /// The second argument is the rank: what bounds the call is kept longest, how long it was counted the
  /// shortest.
  std::vector<CounterLine> take() {
    say("DRAM", 0, dram());
    say("L2", 5, l2());
    say("L1", 4, l1());
    say("Arithmetic", 3, arithmetic());
    say("Occupancy", 2, occupancy());
    say("Stalls, of the warps' time", 1, stalls());
    say("GPU", 6, time());
    kernels();
    return std::move(lines_);
  }

 private:
  using Parts = std::vector<std::string>;

  std::optional<double> value(std::string_view name) const { return find_counter(roofline_.counters, name); }
  void say(const char* group, int rank, const Parts& parts) {
    if (!parts.empty()) lines_.push_back({fmt::format("{}: {}.", group, fmt::join(parts, ", ")), rank});
  }
  void add(Parts& parts, std::string_view counter, const char* words, std::string (*text)(double)) const {
    if (const auto count = value(counter)) parts.push_back(fmt::format(fmt::runtime(words), text(*count)));
  }

  Parts dram() const {
    Parts parts;
    add(parts, counter::dram_read_bytes, "{} read", bytes_text);
    add(parts, counter::dram_write_bytes, "{} written", bytes_text);
    add(parts, counter::needed_bytes, "{} needed in all", bytes_text);
    add(parts, counter::dram_share, "{} of its bandwidth", percent_text);
    return parts;
  }
  Parts l2() const {
    Parts parts;
    add(parts, counter::l2_bytes, "{} moved", bytes_text);
    add(parts, counter::l2_write_bytes, "{} of them stored", bytes_text);
    add(parts, counter::l2_share, "{} of its bandwidth", percent_text);
    return parts;
  }
  Parts l1() const {
    Parts parts;
    add(parts, counter::l1_bytes, "{} moved", bytes_text);
    add(parts, counter::load_bytes_per_sector, "loads use {} of each 32-byte sector", bytes_text);
    add(parts, counter::store_bytes_per_sector, "stores {}", bytes_text);
    add(parts, counter::bank_conflict_share, "bank conflicts in {} of shared memory's accesses",
        percent_text);
    return parts;
  }

  Parts arithmetic() const {
    std::vector<Counter> done;
    constexpr std::string_view ending = "_operations";
    for (const auto& counter : roofline_.counters)
      if (counter.name.ends_with(ending) && counter.name != counter::needed_operations && counter.value > 0)
        done.push_back(counter);
    std::stable_sort(done.begin(), done.end(),
                     [](const Counter& a, const Counter& b) { return a.value > b.value; });
    Parts parts;
    for (const auto& counter : done)
      parts.push_back(fmt::format("{} operations in {}", count_text(counter.value),
                                  spaced(counter.name.substr(0, counter.name.size() - ending.size()))));
    // Zero was counted, which is a finding; a chip that does not count them says nothing.
    if (value(counter::tensor_instructions) == 0.0)
      parts.emplace_back("tensor pipe not used");
    else
      add(parts, counter::tensor_share, "tensor pipe busy in {} of the cycles", percent_text);
    return parts;
  }

  Parts occupancy() const {
    Parts parts;
    add(parts, counter::achieved_occupancy, "{} of a multiprocessor's warps achieved", percent_text);
    if (!sums_.empty() && sums_.front().first->theoretical_occupancy > 0)
      parts.push_back(fmt::format("{} possible, limited by {}",
                                  percent_text(sums_.front().first->theoretical_occupancy),
                                  spaced(to_string(sums_.front().first->limit))));
    return parts;
  }

  Parts stalls() const {
    std::vector<Counter> stalls;
    for (const auto& counter : roofline_.counters)
      if (counter.name.starts_with(counter::stall_prefix) && counter.name != counter::stall_not_selected &&
          counter.value >= kWorthSaying)
        stalls.push_back(counter);
    std::stable_sort(stalls.begin(), stalls.end(),
                     [](const Counter& a, const Counter& b) { return a.value > b.value; });
    Parts parts;
    for (const auto& counter : stalls)
      parts.push_back(fmt::format("{} {}", spaced(counter.name.substr(counter::stall_prefix.size())),
                                  percent_text(counter.value)));
    return parts;
  }

  Parts time() const {
    Parts parts;
    add(parts, counter::gpu_seconds, "{} while it was counted", time_text);
    add(parts, counter::sm_active_share, "multiprocessors busy in {} of the cycles", percent_text);
    add(parts, counter::issue_share, "an instruction issued in {} of those", percent_text);
    return parts;
  }

  void kernels() {
    double all = 0;
    for (const auto& sum : sums_) all += sum.seconds;
    for (std::size_t i = 0; i < std::min(sums_.size(), kMostKernels); ++i) {
      const auto& sum = sums_[i];
      const auto& launch = *sum.first;
      auto text = fmt::format("Kernel {}: {}{}{} blocks of {} threads",
                              launch.kernel.empty() ? "graph" : name_of(launch),
                              all > 0 ? percent_text(sum.seconds / all) + " of the kernels' time, " : "",
                              sum.times > 1 ? fmt::format("{} launches, ", sum.times) : "", launch.blocks(),
                              launch.threads_per_block());
      text += fmt::format(", {}, {} DRAM", time_text(sum.seconds), bytes_text(sum.dram_bytes));
      if (launch.registers > 0) text += fmt::format(", {} registers", launch.registers);
      if (launch.shared > 0) text += fmt::format(", {:.3g} KiB shared memory", launch.shared / 1024.0);
      if (launch.local > 0) text += fmt::format(", {} bytes of local memory a thread", launch.local);
      lines_.push_back({text + ".", i == 0 ? 2 : 6});
    }
    if (sums_.size() > kMostKernels)
      lines_.push_back({fmt::format("And {} kernels more.", sums_.size() - kMostKernels), 6});
  }
  static std::string name_of(const KernelLaunch& launch) {
    return "`" + cut(clean(launch.kernel), kMostName) + "`";
  }

  const Roofline& roofline_;
  std::vector<KernelSum> sums_;
  std::vector<CounterLine> lines_;
};

}  // namespace

std::vector<CounterLine> counter_lines(const Roofline& roofline, std::span<const KernelLaunch> launches) {
  const bool gpu = std::any_of(roofline.counters.begin(), roofline.counters.end(),
                               [](const Counter& counter) { return counter.source == Source::cupti; });
  if (!gpu) return {};
  return Lines(roofline, launches).take();
}

}  // namespace ridgeline::prompts
