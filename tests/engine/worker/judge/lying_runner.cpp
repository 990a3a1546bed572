#include "tests/engine/worker/judge/lying_runner.hpp"

#include <sys/mman.h>

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/worker/runner/counter_sheet.hpp"
#include "engine/worker/runner/serve.hpp"

namespace ridgeline {
namespace {

using runner::CounterSheet;

class AnyCandidate final : public runner::Candidate {
 public:
  std::optional<runner::Refusal> load(const char*) override { return std::nullopt; }
  int run(const runner::Arrangement&, std::size_t, std::size_t) override { return 0; }
  std::string error_text(int) override { return ""; }
};

/// Plausible counts of one call of vector_add on 65536 elements that takes 10 µs.
const std::map<std::string_view, double> kTruth = {
    {"gpu__time_duration.sum", 11e3},         {"dram__bytes_read.sum", 524e3},
    {"dram__bytes_write.sum", 100e3},         {"lts__t_sectors_op_write.sum", 8192},
    {"lts__t_sectors_op_red.sum", 0},         {"lts__t_sectors_op_atom.sum", 0},
    {"sm__inst_executed_pipe_tensor.sum", 8}, {"sm__ops_path_tensor_src_fp16.sum", 4096}};

constexpr int kSpannedCalls = 5;  // of a case, as the judge asks (profile/device_counters.cpp)

class LyingCounting final : public runner::Counting {
 public:
  explicit LyingCounting(std::string_view lie) : lie_(lie) {}

  void prepare(std::uint32_t set, FileDescriptor file) override {
    void* memory = ::mmap(nullptr, sizeof(CounterSheet), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED) throw std::runtime_error("the sheet cannot be mapped");
    auto* sheet = static_cast<CounterSheet*>(memory);
    sheet->config_bytes = 8;
    sheet->passes = 2;
    if (lie_ == "unswept") sheet->empty_l2 = 0;
    sheets_.at(set) = sheet;
    most_launches_ = sheet->most_launches;
    for (std::size_t i = 0; i < sheet->metrics; ++i) metrics_.at(set).emplace_back(sheet->names[i].data());
  }

  void begin_survey() override { ++surveys_; }
  void end_survey(std::uint32_t set) override {
    const bool alone = lie_ == "second alone" ? surveys_ >= 2 : lie_.starts_with("alone");
    if (lie_ == "second alone") sheets_.at(set)->surveyed = surveys_ == 1 ? runner::kMaxLaunches + 5 : 1;
    sheets_.at(set)->alone = alone && (lie_ != "alone until counted" || surveys_ <= 2) ? 1 : 0;
  }

  /// Refuses a call outside of a pass, and a pass in a pass.
  void open(std::uint32_t set) override {
    if (open_) throw std::runtime_error("a pass in a pass");
    calls_.clear();
    by_launch_.clear();
    open_ = true;
    counting_ = set;
  }
  void begin(bool by_launch) override {
    if (!open_) throw std::runtime_error("a call in no pass");
    if (!by_launch && lie_.starts_with("alone")) throw std::runtime_error("the whole of a lone launch");
    std::uint32_t launches = by_launch && lie_ != "alone" && lie_ != "alone until counted" ? 2 : 1;
    // A call that is counted as a whole is counted launch by launch next, and has more launches than are
    // kept.
    if (lie_ == "second alone") launches = by_launch && whole_before_ ? runner::kMaxLaunches + 5 : 1;
    whole_before_ = !by_launch;
    by_launch_.push_back(by_launch);
    calls_.push_back(launches);
  }
  void end(bool) override {}
  void close() override { open_ = false; }

  void report(std::uint32_t set) override {
    if (counting_ != set) throw std::runtime_error("another set was begun");
    auto& sheet = *sheets_.at(set);
    if (lie_ == "silent") return;
    std::uint32_t row = 0, kept = 0;
    for (std::uint32_t call = 0; call < calls_.size(); ++call) {
      sheet.launch_counts[call] = calls_[call];
      for (std::uint32_t range = 0; range < calls_[call]; ++range, ++row) {
        if (by_launch_[call] && kept++ >= most_launches_) break;
        sheet.calls[row] = call;
        for (std::size_t i = 0; i < metrics_[set].size(); ++i)
          sheet.values[row][i] = value_of(metrics_[set][i]);
      }
    }
    sheet.range_count = row;
    for (auto& launch : sheet.launches) {
      constexpr std::string_view name = "_ZN12_GLOBAL__N_15scoreEPKf";
      name.copy(launch.kernel.data(), name.size());
      launch.grid = {64, 1, 1};
      launch.block = {256, 1, 1};
      launch.registers = 32;
    }
    if (lie_ == "wild") go_wild(sheet);
    reported_ = true;
  }

  void begin_spans(std::uint32_t) override {
    if (!reported_) throw std::runtime_error("spans before the report");
    const bool first = !std::exchange(asked_for_spans_, true);
    if (lie_ == "spans refused" || (lie_ == "first spans refused" && first))
      throw std::runtime_error("CUPTI records no kernels here");
  }
  /// A kernel for each launch, and plausible spans.
  void end_spans(std::uint32_t set) override {
    auto& sheet = *sheets_.at(set);
    const int call = spanned_++ % kSpannedCalls;  // of its case
    sheet.span_kernels = lie_ == "alone" ? 1 : 2;
    if (lie_ == "second alone") sheet.span_kernels = spanned_ > kSpannedCalls ? 1 : runner::kMaxLaunches + 5;
    sheet.span_seconds = 9e-6 + 1e-9 * call;  // each a little longer: the median is the third
    if (lie_ == "long") sheet.span_seconds = 0.019;
    if (lie_ == "spans of nothing") sheet.span_kernels = 0;
    if (lie_ == "spans of too few") sheet.span_kernels = 1;
    if (lie_ == "spans of too many") sheet.span_kernels = 3;
    if (lie_ == "spans that vary" && call % 2 == 1) ++sheet.span_kernels;
    if (lie_ == "spans beyond the call") sheet.span_seconds = 14e-6;
    if (lie_ == "spans without end" || lie_ == "wild")
      sheet.span_seconds = std::numeric_limits<double>::infinity();
  }

 private:
  double value_of(std::string_view metric) const {
    if (lie_ == "time" && metric == "gpu__time_duration.sum") return 1e9;
    if (lie_ == "long" && metric == "gpu__time_duration.sum") return 20.1e6;
    if (lie_ == "traffic" && metric == "dram__bytes_read.sum") return 1e15;
    const auto found = kTruth.find(metric);
    return found == kTruth.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
  }

  static void go_wild(CounterSheet& sheet) {
    constexpr auto most = std::numeric_limits<std::uint32_t>::max();
    sheet.range_count = sheet.metrics = sheet.passes = most;
    sheet.launch_counts.fill(most);
    for (std::size_t row = 4; row < sheet.calls.size(); ++row) sheet.calls[row] = row % 2 == 0 ? 3 : most;
    sheet.config_bytes = std::numeric_limits<std::uint64_t>::max();
    for (auto& launch : sheet.launches) {
      launch.kernel.fill('\xff');  // no end, and no text
      launch.grid.fill(most);
      launch.block.fill(most);
      launch.registers = launch.shared = launch.local = most;
    }
    for (auto& name : sheet.names) name.fill('x');
  }

  std::string lie_;
  std::array<CounterSheet*, runner::kMaxSets> sheets_{};
  std::array<std::vector<std::string>, runner::kMaxSets> metrics_;
  bool open_ = false, reported_ = false, asked_for_spans_ = false;
  int surveys_ = 0;
  std::uint32_t most_launches_ = 0;   // that get a row
  int spanned_ = 0;                   // calls whose spans were recorded
  std::vector<std::uint32_t> calls_;  // ranges of each Count of the pass
  std::vector<bool> by_launch_;       // of each Count of the pass
  bool whole_before_ = false;         // the last Count was of a whole call
  std::uint32_t counting_ = runner::kMaxSets;
};

}  // namespace

int lie(std::string_view lie) {
  runner::serve(runner::kChannelFd, runner::make_host_side(), std::make_unique<AnyCandidate>(),
                runner::Lockdowns::none, {std::make_unique<LyingCounting>(lie), nullptr});
  return 0;
}

}  // namespace ridgeline
