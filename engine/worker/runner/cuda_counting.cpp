#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/cache_sweep.hpp"
#include "engine/cuda/cupti.hpp"
#include "engine/cuda/launch_log.hpp"
#include "engine/cuda/metric_host.hpp"
#include "engine/cuda/range_profiler.hpp"
#include "engine/worker/runner/counter_sheet.hpp"
#include "engine/worker/runner/counting.hpp"

namespace ridgeline::runner {
namespace {

/// A sheet where the judge sees it too.
class MappedSheet {
 public:
  explicit MappedSheet(FileDescriptor file) {
    struct stat facts{};
    if (::fstat(file.get(), &facts) != 0 || static_cast<std::size_t>(facts.st_size) < sizeof(CounterSheet))
      throw std::runtime_error("the sheet of counters is too small");
    void* memory = ::mmap(nullptr, sizeof(CounterSheet), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED) throw std::runtime_error("the sheet of counters cannot be mapped");
    sheet_.reset(static_cast<CounterSheet*>(memory));
  }
  CounterSheet* operator->() const { return sheet_.get(); }

 private:
  struct Unmap {
    void operator()(CounterSheet* sheet) const { ::munmap(sheet, sizeof *sheet); }
  };
  std::unique_ptr<CounterSheet, Unmap> sheet_;
};

/// Private copies of what was agreed on, since a candidate can write on the sheet.
struct Set {
  MappedSheet sheet;
  cuda::Ranges ranges;
  bool sweeps;                       // a range of its own comes first in each pass, and is not reported
  std::vector<std::string> known;    // metrics that the chip has
  std::vector<std::size_t> columns;  // of each, on the sheet
  std::vector<std::uint8_t> config;
};

class CudaCounting final : public Counting {
 public:
  /// What takes long and touches no counter happens here: a runner may be started long before it is needed,
  /// and something else be measured meanwhile.
  CudaCounting(std::string_view library, int device) {
    try {
      cupti_ = cuda::load_cupti(std::string(library));
      host_.emplace(cupti_, cuda::chip_name(cupti_, device));
    } catch (const std::exception& error) {
      why_not_ = error.what();
      return;
    }
    try {
      sweep_.emplace(device);
    } catch (const std::exception&) {  // counts are then told with what others left in the L2
    }
  }

  void prepare(std::uint32_t number, FileDescriptor file) override {
    if (!host_) throw std::runtime_error(why_not_);
    Set set{.sheet = MappedSheet(std::move(file))};
    read(set);
    if (!profiler_) profiler_.emplace(cupti_);
    if (!log_) log_.emplace(cupti_);
    sets_.at(number) = std::move(set);
  }

  void begin(std::uint32_t number) override {
    auto& set = at(number);
    const bool kernels = set.ranges == cuda::Ranges::kernels;
    if (counting_ != number) {
      const std::size_t most = kernels ? kMaxRanges : 1;
      profiler_->configure(set.config, set.known, set.ranges, most + (set.sweeps ? 1 : 0));
      counting_ = number;
    }
    profiler_->begin_pass();
    if (set.sweeps) {  // not earlier: starting a pass writes to the device
      profiler_->begin_range("sweep");
      sweep_->run();
      profiler_->end_range();
    }
    if (kernels) log_->start(kMaxRanges);
    profiler_->begin_range("call");
  }

  void end() override {
    profiler_->end_range();
    profiler_->end_pass();
  }

  void report(std::uint32_t number) override {
    auto& set = at(number);
    if (counting_ != number) throw std::runtime_error("nothing was counted of this set");
    counting_.reset();  // the next pass begins anew
    const auto counted = profiler_->decode();
    auto& sheet = *set.sheet.operator->();
    const std::size_t first = set.sweeps ? 1 : 0;
    const std::size_t ranges = std::min(counted.ranges - std::min(counted.ranges, first), kMaxRanges);
    sheet.range_count = static_cast<std::uint32_t>(ranges);
    for (std::size_t range = 0; range < ranges; ++range) {
      sheet.values[range].fill(std::numeric_limits<double>::quiet_NaN());
      const auto values = host_->evaluate(counted.image, first + range, set.known);
      for (std::size_t i = 0; i < values.size(); ++i) sheet.values[range][set.columns[i]] = values[i];
    }
    if (set.ranges == cuda::Ranges::kernels) write_launches(sheet);
  }

 private:
  Set& at(std::uint32_t number) {
    if (number >= sets_.size() || !sets_[number]) throw std::runtime_error("no such set of counters");
    return *sets_[number];
  }

  /// Makes the configuration if the sheet brings none.
  void read(Set& set) {
    auto& sheet = *set.sheet.operator->();
    if (sheet.metrics > kMaxMetrics || sheet.config_bytes > kMaxConfig)
      throw std::runtime_error("the sheet of counters is not in order");
    set.ranges = sheet.ranges == CountedRanges::call ? cuda::Ranges::call : cuda::Ranges::kernels;
    if (!sweep_) sheet.empty_l2 = 0;
    set.sweeps = sheet.empty_l2 != 0;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < sheet.metrics; ++i) names.emplace_back(sheet.names[i].data());
    if (sheet.config_bytes == 0) {
      const auto made = host_->configure(names);
      if (made.image.size() > kMaxConfig)
        throw std::runtime_error("the configuration of counters is too large");
      std::copy(made.image.begin(), made.image.end(), sheet.config.begin());
      for (std::size_t i = 0; i < names.size(); ++i) sheet.unknown[i] = made.unknown[i] ? 1 : 0;
      sheet.passes = static_cast<std::uint32_t>(made.passes);
      sheet.config_bytes = made.image.size();
    }
    set.config.assign(sheet.config.begin(),
                      sheet.config.begin() + static_cast<std::ptrdiff_t>(sheet.config_bytes));
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (sheet.unknown[i]) continue;
      set.known.push_back(names[i]);
      set.columns.push_back(i);
    }
  }

  void write_launches(CounterSheet& sheet) {
    sheet.launch_count = static_cast<std::uint32_t>(log_->count());
    const auto launches = log_->stop();
    for (std::size_t i = 0; i < std::min(launches.size(), kMaxRanges); ++i) {
      const auto& from = launches[i];
      SheetLaunch to;
      from.kernel.copy(to.kernel.data(), to.kernel.size() - 1);
      to.grid = {from.grid[0], from.grid[1], from.grid[2]};
      to.block = {from.block[0], from.block[1], from.block[2]};
      to.registers = static_cast<std::uint32_t>(from.registers);
      to.shared = static_cast<std::uint32_t>(from.static_shared) + from.dynamic_shared;
      to.local = static_cast<std::uint32_t>(from.local);
      to.graph = from.graph ? 1 : 0;
      sheet.launches[i] = to;
    }
  }

  cuda::Cupti cupti_;
  std::optional<cuda::MetricHost> host_;
  std::string why_not_;
  std::array<std::optional<Set>, kMaxSets> sets_;
  std::optional<cuda::CacheSweep> sweep_;
  std::optional<cuda::RangeProfiler> profiler_;
  std::optional<cuda::LaunchLog> log_;
  std::optional<std::uint32_t> counting_;  // the set whose passes are under way
};

}  // namespace

std::unique_ptr<Counting> make_cuda_counting(std::string_view library, int device) {
  return std::make_unique<CudaCounting>(library, device);
}

}  // namespace ridgeline::runner
