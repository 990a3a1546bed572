// Names the counters of a GPU's call, says what each means, and finds one among them.
//
// Shares are from 0 to 1. A counter that the chip does not have is missing, which is not the same as 0.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/core/roofline.hpp"

namespace ridgeline {

namespace counter {
inline constexpr std::string_view gpu_seconds =
    "gpu_seconds";  ///< of the whole call, gaps between kernels included
inline constexpr std::string_view kernel_seconds =
    "kernel_seconds";  ///< sum of the spans of the call's kernels on the device; gaps between kernels,
                       ///< copies and fills of memory are not in it; a claim
inline constexpr std::string_view cycles = "cycles";    ///< of the SMs' clock, over the same time
inline constexpr std::string_view kernels = "kernels";  ///< launched
inline constexpr std::string_view blocks = "blocks";    ///< launched, over all kernels

inline constexpr std::string_view needed_bytes = "needed_bytes";  ///< analytic: each operand moved once
inline constexpr std::string_view needed_operations = "needed_operations";  ///< analytic
inline constexpr std::string_view dram_read_bytes = "dram_read_bytes";
inline constexpr std::string_view dram_write_bytes =
    "dram_write_bytes";  ///< with what earlier work left in the L2, without what the call leaves there
inline constexpr std::string_view l2_bytes = "l2_bytes";
inline constexpr std::string_view l2_write_bytes =
    "l2_write_bytes";  ///< stored into it, in whole sectors, atomics included: the most that it can write
                       ///< back
inline constexpr std::string_view l1_bytes = "l1_bytes";
inline constexpr std::string_view dram_share =
    "dram_share";  ///< of the DRAM's peak over the call, by the hardware's own count
inline constexpr std::string_view l2_share = "l2_share";
inline constexpr std::string_view load_bytes_per_sector =
    "load_bytes_per_sector";  ///< used of the 32 of each sector
inline constexpr std::string_view store_bytes_per_sector = "store_bytes_per_sector";
inline constexpr std::string_view bank_conflict_share =
    "bank_conflict_share";  ///< of shared memory's wavefronts

inline constexpr std::string_view fp32_operations = "fp32_operations";  ///< fused multiply-add counts 2
inline constexpr std::string_view fp16_operations =
    "fp16_operations";  ///< on pairs, outside of the tensor pipe
inline constexpr std::string_view fp64_operations = "fp64_operations";
inline constexpr std::string_view tensor_instructions = "tensor_instructions";  ///< of warps
inline constexpr std::string_view tensor_bf16_operations = "tensor_bf16_operations";
inline constexpr std::string_view tensor_fp16_operations = "tensor_fp16_operations";
inline constexpr std::string_view tensor_tf32_operations = "tensor_tf32_operations";
inline constexpr std::string_view tensor_fp64_operations = "tensor_fp64_operations";
inline constexpr std::string_view tensor_int8_operations = "tensor_int8_operations";
inline constexpr std::string_view tensor_fp8_operations = "tensor_fp8_operations";
inline constexpr std::string_view tensor_share = "tensor_share";  ///< of cycles with the tensor pipe at work

inline constexpr std::string_view issue_share = "issue_share";  ///< of cycles of busy SMs that issued
inline constexpr std::string_view sm_active_share =
    "sm_active_share";  ///< of the call's cycles with a warp on the SM
inline constexpr std::string_view achieved_occupancy =
    "achieved_occupancy";  ///< of the warps that a busy SM has room for: those on it
inline constexpr std::string_view theoretical_occupancy =
    "theoretical_occupancy";  ///< of the longest kernel: the most that its launch permits

// Shares of the time that warps were on an SM, waiting for one reason or another between two instructions.
inline constexpr std::string_view stall_prefix = "stall_";
inline constexpr std::string_view stall_long_scoreboard =
    "stall_long_scoreboard";  ///< global or local memory
inline constexpr std::string_view stall_short_scoreboard =
    "stall_short_scoreboard";  ///< shared memory, special functions
inline constexpr std::string_view stall_barrier = "stall_barrier";
inline constexpr std::string_view stall_wait = "stall_wait";  ///< fixed latency of the instruction before
inline constexpr std::string_view stall_math_pipe_throttle = "stall_math_pipe_throttle";
inline constexpr std::string_view stall_lg_throttle =
    "stall_lg_throttle";  ///< queue of global and local memory
inline constexpr std::string_view stall_mio_throttle =
    "stall_mio_throttle";                                     ///< queue of shared memory and specials
inline constexpr std::string_view stall_gmma = "stall_gmma";  ///< of wgmma
inline constexpr std::string_view stall_not_selected = "stall_not_selected";  ///< another warp was: no loss
}  // namespace counter

/// Returns a counter's value, if it was counted.
std::optional<double> find_counter(std::span<const Counter> counters, std::string_view name);

/// Returns the bytes that moved between L2 and DRAM for the call: those read, plus those written. If
/// l2_write_bytes was counted, no more counts as written: the rest is what earlier work left in the L2.
/// Empty if reads or writes of the DRAM were not counted.
std::optional<double> dram_traffic(std::span<const Counter> counters);

/// Returns the longest stall; empty if none was counted. `stall_not_selected` is left out: it is no loss.
std::optional<Counter> longest_stall(std::span<const Counter> counters);

/// Arithmetic operations of a call, and the unit that did most of them.
struct CountedOperations {
  double all = 0;         ///< over all precisions
  std::string_view most;  ///< the counter that holds most of them
};
/// Sums the precisions that were counted. Empty if none was, or if the tensor pipe worked and no counter says
/// in which precision.
std::optional<CountedOperations> operations_of(std::span<const Counter> counters);

/// Returns the most operations a second of the unit whose operations the counter counts. Pairs of halves get
/// twice the peak "fp32", and fp8 twice "fp16" if it was not measured itself. 0 if the unit was not measured,
/// or the counter counts no operations.
double peak_of_counter(const Ceilings& ceilings, std::string_view name);

}  // namespace ridgeline
