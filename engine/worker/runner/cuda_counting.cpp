#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/cuda/cache_sweep.hpp"
#include "engine/cuda/cupti.hpp"
#include "engine/cuda/kernel_spans.hpp"
#include "engine/cuda/launch_log.hpp"
#include "engine/cuda/metric_host.hpp"
#include "engine/cuda/range_profiler.hpp"
#include "engine/worker/runner/counter_sheet.hpp"
#include "engine/worker/runner/counting.hpp"
#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {
namespace {

/// The sheet, in memory that the judge maps too.
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

/// A prepared set. It keeps private copies of what the sheet asks for, since the candidate can write to the
/// sheet later.
struct Set {
  MappedSheet sheet;
  bool sweeps = false;               // the L2 is emptied before each Count, in a range that is not reported
  std::uint32_t most_calls = 0;      // of a pass
  std::uint32_t most_launches = 0;   // of a pass that get a range each
  std::vector<std::string> known;    // metrics that the chip has
  std::vector<std::size_t> columns;  // their columns on the sheet
  std::vector<std::uint8_t> config;
};

// Ranges are identified by name, since CUPTI does not promise their order in an image.
constexpr std::string_view kSweep = "sweep", kCall = "call", kLaunch = "launch";

/// A parsed name of a range: "call 3 0", "launch 3 17".
struct RangeName {
  std::string kind;
  std::uint32_t call = 0;
  std::size_t launch = 0;
};

std::string name_of(std::string_view kind, std::uint32_t call, std::size_t launch = 0) {
  return std::string(kind) + ' ' + std::to_string(call) + ' ' + std::to_string(launch);
}

RangeName parse(const std::string& name) {
  RangeName parsed;
  std::istringstream text(name);
  text >> parsed.kind >> parsed.call >> parsed.launch;
  return parsed;
}

/// Makes each launch a range of its own.
class RangeALaunch final : public cuda::LaunchWatcher {
 public:
  explicit RangeALaunch(cuda::RangeProfiler& profiler) : profiler_(profiler) {}

  void of_call(std::uint32_t call) { call_ = call; }
  void before_launch(std::size_t number) override {
    attempt([&] { profiler_.begin_range(name_of(kLaunch, call_, number).c_str()); });
  }
  void after_launch() override {
    attempt([&] { profiler_.end_range(); });
  }
  /// Throws the first error of a range. It is kept until here, since an exception must not pass through the
  /// candidate's code that launched.
  void check() const {
    if (!trouble_.empty()) throw std::runtime_error(trouble_);
  }

 private:
  template <class Work>
  void attempt(Work&& work) {
    if (!trouble_.empty()) return;
    try {
      work();
    } catch (const std::exception& error) {
      trouble_ = error.what();
    }
  }
  cuda::RangeProfiler& profiler_;
  std::uint32_t call_ = 0;
  std::string trouble_;
};

class CudaCounting final : public Counting {
 public:
  /// Does what takes long and touches no counter. A runner is started ahead of time, while other processes
  /// may be measured; nothing here disturbs them.
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
    } catch (const std::exception&) {  // then the sheet says that the L2 is not emptied
    }
  }

  void prepare(std::uint32_t number, FileDescriptor file) override {
    if (!host_) throw std::runtime_error(why_not_);
    Set set{.sheet = MappedSheet(std::move(file))};
    read(set);
    if (!profiler_) {
      profiler_.emplace(cupti_);
      log_.emplace(cupti_);
      watcher_.emplace(*profiler_);
    }
    sets_.at(number) = std::move(set);
  }

  void begin_survey() override {
    if (!log_) throw std::runtime_error("nothing was prepared");
    log_->begin_survey();
  }
  void end_survey(std::uint32_t number) override {
    auto& sheet = *at(number).sheet.operator->();
    sheet.alone = log_->end_survey() ? 1 : 0;
    sheet.surveyed = static_cast<std::uint32_t>(log_->surveyed());
  }

  void open(std::uint32_t number) override {
    auto& set = at(number);
    // Sweeps are ranges too, one for each Count. Opening takes the longer, the more ranges there may be.
    if (counting_ != number)
      profiler_->configure(set.config, set.known, set.most_launches + 2 * set.most_calls);
    counting_ = number;
    call_ = 0;
    log_->start(set.most_launches);
    profiler_->begin_pass();
  }

  void begin(bool by_launch) override {
    if (!counting_ || call_ >= at(*counting_).most_calls)
      throw std::runtime_error("no pass is open for more calls");
    if (at(*counting_).sweeps) {  // only now: starting a pass writes to the device
      profiler_->begin_range(name_of(kSweep, call_).c_str());
      sweep_->run();
      profiler_->end_range();
    }
    if (by_launch) {
      watcher_->of_call(call_);
      log_->watch(&*watcher_);
    } else {
      profiler_->begin_range(name_of(kCall, call_).c_str());
    }
  }

  void end(bool by_launch) override {
    if (by_launch) {
      log_->watch(nullptr);
      watcher_->check();
    } else {
      profiler_->end_range();
    }
    launches_until_.at(call_) = log_->count();
    ++call_;
  }

  void close() override { profiler_->end_pass(); }

  void report(std::uint32_t number) override {
    auto& set = at(number);
    if (counting_ != number) throw std::runtime_error("nothing was counted of this set");
    counting_.reset();
    const auto counted = profiler_->decode();
    const auto launches = log_->stop();
    auto& sheet = *set.sheet.operator->();
    std::uint32_t row = 0;
    for (std::size_t range = 0; range < counted.ranges.size() && row < kMaxRanges; ++range) {
      const auto name = parse(counted.ranges[range]);
      if (name.kind != kLaunch && name.kind != kCall) continue;
      sheet.calls[row] = name.call;
      sheet.values[row].fill(std::numeric_limits<double>::quiet_NaN());
      const auto values = host_->evaluate(counted.image, range, set.known);
      for (std::size_t i = 0; i < values.size(); ++i) sheet.values[row][set.columns[i]] = values[i];
      if (name.kind == kLaunch && name.launch < launches.size())
        sheet.launches[row] = to_sheet(launches[name.launch]);
      ++row;
    }
    for (std::uint32_t call = 0; call < call_; ++call)
      sheet.launch_counts[call] =
          static_cast<std::uint32_t>(launches_until_[call] - (call == 0 ? 0 : launches_until_[call - 1]));
    sheet.range_count = row;
    // Releases the device's counters now: the next counting process may start before this one has ended.
    reported_ = Reported{number, std::move(set.sheet), set.sweeps};
    sets_ = {};
    watcher_.reset();
    profiler_.reset();
  }

  void begin_spans(std::uint32_t number) override {
    const auto& reported = reported_at(number);
    log_.reset();  // nothing watches launches any more
    if (!spans_) spans_.emplace(cupti_);
    // The sweep has ended when this returns, so its kernel is not recorded.
    if (reported.sweeps) sweep_->run();
    spans_->begin();
  }
  void end_spans(std::uint32_t number) override {
    const auto& reported = reported_at(number);
    if (!spans_) throw std::runtime_error("no spans were begun");
    const auto sum = spans_->end();
    if (sum.lost > 0) throw std::runtime_error("CUPTI did not time " + std::to_string(sum.lost) + " kernels");
    reported.sheet->span_kernels = sum.kernels;
    reported.sheet->span_seconds = sum.seconds;
  }

 private:
  /// What is left of a set after its report.
  struct Reported {
    std::uint32_t number;
    MappedSheet sheet;
    bool sweeps;
  };

  const Reported& reported_at(std::uint32_t number) const {
    if (!reported_ || reported_->number != number)
      throw std::runtime_error("spans follow the report of their set");
    return *reported_;
  }
  Set& at(std::uint32_t number) {
    if (number >= sets_.size() || !sets_[number]) throw std::runtime_error("no such set of counters");
    return *sets_[number];
  }

  /// Makes the configuration if the sheet brings none.
  void read(Set& set) {
    auto& sheet = *set.sheet.operator->();
    if (sheet.metrics > kMaxMetrics || sheet.config_bytes > kMaxConfig || sheet.most_calls > kMaxCalls ||
        sheet.most_launches > kMaxLaunches)
      throw std::runtime_error("the sheet of counters is not in order");
    if (!sweep_) sheet.empty_l2 = 0;
    set.sweeps = sheet.empty_l2 != 0;
    set.most_calls = sheet.most_calls;
    set.most_launches = sheet.most_launches;
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

  static SheetLaunch to_sheet(const cuda::Launch& from) {
    SheetLaunch to;
    from.kernel.copy(to.kernel.data(), to.kernel.size() - 1);
    to.grid = {from.grid[0], from.grid[1], from.grid[2]};
    to.block = {from.block[0], from.block[1], from.block[2]};
    to.registers = static_cast<std::uint32_t>(from.registers);
    to.shared = static_cast<std::uint32_t>(from.static_shared) + from.dynamic_shared;
    to.local = static_cast<std::uint32_t>(from.local);
    to.graph = from.graph ? 1 : 0;
    return to;
  }

  cuda::Cupti cupti_;
  std::optional<cuda::MetricHost> host_;
  std::string why_not_;
  std::array<std::optional<Set>, kMaxSets> sets_;
  std::optional<cuda::CacheSweep> sweep_;
  std::optional<cuda::RangeProfiler> profiler_;
  std::optional<cuda::LaunchLog> log_;
  std::optional<RangeALaunch> watcher_;
  std::optional<Reported> reported_;
  std::optional<cuda::KernelSpans> spans_;
  std::optional<std::uint32_t> counting_;                // the set whose passes have begun
  std::uint32_t call_ = 0;                               // calls of this pass so far
  std::array<std::size_t, kMaxCalls> launches_until_{};  // of the pass, at the end of each call
};

}  // namespace

std::unique_ptr<Counting> make_cuda_counting(std::string_view library, int device) {
  return std::make_unique<CudaCounting>(library, device);
}

}  // namespace ridgeline::runner
