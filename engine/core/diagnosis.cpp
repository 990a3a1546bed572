#include "engine/core/diagnosis.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/counters.hpp"

namespace ridgeline {
namespace {

constexpr std::size_t kMostCauses = 3;
constexpr double kNearRoof = 0.75;    // of a ceiling that was measured with the best kernels there are
constexpr double kMuchTraffic = 1.5;  // times the compulsory bytes; caches and padding explain less
constexpr double kLittleTraffic = 1.2;
constexpr double kCacheOfOthers = 0.5;  // of the L2: what counts as the call's and may have lain there before
constexpr double kFewStores = 0.1;      // of the traffic of the L2, below which their shape does not matter
constexpr double kSector = 32;          // bytes that the memory moves at least
constexpr double kScatteredSector = 16;   // bytes used of one, below which neighbours do not read neighbours
constexpr double kLongStall = 0.25;       // of the warps' time
constexpr double kLowOccupancy = 0.5;     // below, latency is hard to hide; above, it seldom is the cause
constexpr double kUnevenOccupancy = 0.6;  // achieved over possible
constexpr double kIdleMultiprocessors = 0.7;  // share of the call's cycles
constexpr double kMostlyGaps = 0.6;           // share of the call in which some kernel runs
constexpr double kShortCall = 5e-6;           // seconds; a launch takes two or three microseconds
constexpr double kShortLaunch = 10e-6;        // seconds of a call for each of its many launches
constexpr double kConflicts = 0.25;           // of shared memory's wavefronts
constexpr double kNearlyAll = 0.98;
constexpr double kStrayDoubles = 0.02;  // of all operations, where no operand is double
constexpr double kTensorIntensity =
    60;  // operations a compulsory byte: a product of matrices, no pointwise work
constexpr double kIdleTensor = 0.3;

/// Looks for causes in the order of what repairing them usually gains, and keeps the first few: a model that
/// is given ten hints follows none.
class Causes {
 public:
  Causes(const Roofline& at, const Ceilings& ceilings, DType dtype, std::span<const KernelLaunch> launches)
      : at_(at), ceilings_(ceilings), dtype_(dtype), launches_(launches) {}

  std::vector<Cause> find() {
    idle_tensor_pipe();
    gaps();
    traffic();
    slow_tensor_pipe();
    room_for_warps();
    idle_multiprocessors();
    stalls();
    bank_conflicts();
    stray_doubles();
    if (found_.size() > kMostCauses) found_.resize(kMostCauses);
    return std::move(found_);
  }

 private:
  double value(std::string_view name, double otherwise = 0) const {
    return find_counter(at_.counters, name).value_or(otherwise);
  }
  void add(Cause cause) { found_.push_back(std::move(cause)); }

  /// How many kernels the call launches, also those that were not counted one by one.
  std::size_t kernels() const {
    return std::max(launches_.size(), static_cast<std::size_t>(value(counter::kernels)));
  }
  bool all_counted() const { return launches_.size() == kernels(); }

  /// Returns the launch that takes most of the time; null where not every launch was counted by itself.
  const KernelLaunch* main_launch() const {
    if (!all_counted()) return nullptr;
    const auto longest = std::max_element(launches_.begin(), launches_.end(),
                                          [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    return longest == launches_.end() ? nullptr : &*longest;
  }

  void gaps() {
    if (!all_counted()) {
      const auto launched = static_cast<double>(kernels());
      if (launched > 1 && at_.seconds <= launched * kShortLaunch)
        add(cause::ManyLaunches{kernels(), at_.seconds});
      return;
    }
    // The sum over kernels is compared with the judge's own time: the difference is what no kernel explains.
    double running = 0;
    for (const auto& launch : launches_) running += launch.seconds;
    if (launches_.size() > 1 && running > 0 && running < kMostlyGaps * at_.seconds)
      add(cause::LaunchGaps{launches_.size(), running, at_.seconds});
    else if (launches_.size() > 1 && running > 0)
      add(cause::LongestKernel{main_launch()->kernel, main_launch()->seconds / running, launches_.size()});
    else if (launches_.size() == 1 && at_.bound == Bound::latency && at_.seconds < kShortCall)
      add(cause::ShortCall{});
  }

  void traffic() {
    const double needed = value(counter::needed_bytes);
    if (needed <= 0 || at_.bytes_source != Source::cupti) return;
    const double times = at_.bytes / needed;
    const double used = value(counter::load_bytes_per_sector, kSector);
    const double stored = value(counter::store_bytes_per_sector, kSector);
    // Traffic within half the L2's size may be lines that others left dirty there, written back meanwhile.
    const bool much = times >= kMuchTraffic && at_.bytes - needed > kCacheOfOthers * ceilings_.cache_bytes;
    const bool scattered = used > 0 && used < kScatteredSector;
    const bool scattering = stored > 0 && stored < kScatteredSector && stores_matter();
    if (!much && !scattered && !scattering) return;
    using Scattered = cause::Traffic::Scattered;
    add(cause::Traffic{.times = much ? std::optional(times) : std::nullopt,
                       .scattered = scattered    ? Scattered::reads
                                    : scattering ? Scattered::writes
                                                 : Scattered::none,
                       .used = scattered ? used : stored,
                       .sector = kSector});
  }

  /// Sums of rows store a few scattered bytes and lose nothing by it.
  bool stores_matter() const {
    const auto stores = find_counter(at_.counters, counter::l2_write_bytes);
    return !stores || *stores >= kFewStores * value(counter::l2_bytes);
  }

  /// Whether the task is a product of half-precision matrices, judged by its intensity: pointwise work has no
  /// use for the tensor pipe.
  bool half_product() const {
    const double needed = value(counter::needed_bytes);
    return (dtype_ == DType::float16 || dtype_ == DType::bfloat16) && needed > 0 &&
           value(counter::needed_operations) / needed >= kTensorIntensity;
  }

  /// Comes first because nothing else is worth as much: the tensor pipe is ten times faster and more.
  void idle_tensor_pipe() {
    if (half_product() && find_counter(at_.counters, counter::tensor_instructions) == 0.0)
      add(cause::IdleTensorPipe{dtype_});
  }

  void slow_tensor_pipe() {
    const bool used = value(counter::tensor_instructions) > 0;
    if (half_product() && used && value(counter::tensor_share) < kIdleTensor)
      add(cause::SlowTensorPipe{value(counter::tensor_share)});
  }

  void room_for_warps() {
    const auto* launch = main_launch();
    if (!launch || launch->theoretical_occupancy <= 0) return;
    const double possible = launch->theoretical_occupancy, achieved = launch->achieved_occupancy;
    // A kernel that feeds its pipe with few warps, as wgmma does by design, is not slow because of them.
    const bool fed = at_.efficiency >= kNearRoof || value(counter::tensor_share) > kIdleTensor;
    if (possible < kLowOccupancy && !fed)
      add(cause::FewWarps{possible, launch->limit, launch->registers, launch->shared,
                          launch->threads_per_block()});
    else if (achieved > 0 && achieved < kUnevenOccupancy * possible && at_.efficiency < kNearRoof &&
             launch->blocks() >= ceilings_.threads)
      add(cause::UnevenOccupancy{achieved, possible});
  }

  void idle_multiprocessors() {
    if (at_.efficiency >= kNearRoof) return;
    const auto* launch = main_launch();
    const auto active = find_counter(at_.counters, counter::sm_active_share);
    if (launch && launch->blocks() > 0 && launch->blocks() < ceilings_.threads)
      add(cause::FewBlocks{launch->blocks(), ceilings_.threads});
    else if (active && *active > 0 && *active < kIdleMultiprocessors)
      add(cause::IdleMultiprocessors{*active});
  }

  void stalls() {
    const auto longest = longest_stall(at_.counters);
    if (!longest || longest->value < kLongStall) return;
    add(cause::Stall{longest->name, longest->value});
  }

  void bank_conflicts() {
    const double share = value(counter::bank_conflict_share);
    if (share >= kConflicts) add(cause::BankConflicts{share});
  }

  void stray_doubles() {
    const double doubles = value(counter::fp64_operations);
    if (dtype_ == DType::float64 || dtype_ == DType::complex128 || doubles <= 0) return;
    if (at_.operations_source != Source::cupti || doubles <= kStrayDoubles * at_.operations) return;
    // If all of it is double, it may be wanted: sums that somebody needs exact.
    const double share = doubles / at_.operations;
    add(cause::StrayDoubles{doubles > kNearlyAll * at_.operations ? 1 : share});
  }

  const Roofline& at_;
  const Ceilings& ceilings_;
  DType dtype_;
  std::span<const KernelLaunch> launches_;
  std::vector<Cause> found_;
};

RoofDistance roof_distance(const Roofline& at) {
  return {.bound = at.bound,
          .times = at.roof_seconds > 0 ? at.seconds / at.roof_seconds : 0,
          .bandwidth_share = at.bandwidth_share,
          .compute_share = at.compute_share,
          .intensity = at.intensity};
}

/// A kernel at its roof waits too, for the memory that is its bound. Naming those stalls as causes would send
/// the next attempt after a loss that is none, so they are passed over.
CountedDiagnosis::Near nearness(const Roofline& at) {
  using Near = CountedDiagnosis::Near;
  const double needed = find_counter(at.counters, counter::needed_bytes).value_or(0);
  if (at.efficiency < kNearRoof) return Near::no;
  if (at.bound == Bound::memory && needed > 0 && at.bytes < kLittleTraffic * needed)
    return Near::each_operand_once;
  return at.bound == Bound::compute ? Near::computing : Near::no;
}

}  // namespace

AnalyticDiagnosis diagnose_analytic(const Roofline& placed, const Ceilings& ceilings, DType dtype,
                                    const Work& work) {
  return {roof_distance(placed), part_in_time(placed, ceilings, dtype, work)};
}

CountedDiagnosis diagnose_counted(const Roofline& placed, const Ceilings& ceilings, DType dtype,
                                  std::span<const KernelLaunch> launches) {
  CountedDiagnosis diagnosis{.distance = roof_distance(placed), .near = nearness(placed)};
  if (diagnosis.near == CountedDiagnosis::Near::no)
    diagnosis.causes = Causes(placed, ceilings, dtype, launches).find();
  return diagnosis;
}

}  // namespace ridgeline
