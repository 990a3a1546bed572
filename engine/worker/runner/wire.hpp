// Lays out the messages between judge and runner over one SOCK_SEQPACKET socket: fixed layouts, one packet a
// message.
//
//   judge                                   runner
//                                           Reply{waiting}      only from an interpreter for a GPU: torch is
//                                           imported, the device is not opened
//   Header{open}                            the runner opens the device
//                                           Reply{ready}        after start, before anything is loaded
//   Load{path}                              Reply{ok | load_error | no_entry_point}
//   PrepareSealed{bytes}                    Reply{ok | no_sealing}      before Load, once, with the
//   descriptors of the exchange and of the memory that is read to empty the L2: from now on batches may be
//   ordered with sealed inputs (sealed_exchange.hpp)
//   Map{bytes…} + one descriptor each       Reply{ok}; `bases` says where each lies. A Map without memories
//                                           unmaps all, and has an interpreter give its own memory back
//   Arrange{pointers, sizes, scalars}       Reply{ok}; the candidate is asked for its workspace here. A text
//                                           says why batches cannot be replayed as graphs
//   Go{first, count, order}                 Reply{ok, ticks}    after calling these slots in order
//   Observe{slot}                           Reply{ok}; the text names the operators of torch by which a call
//                                           of this slot computed, one a line, with how often each ran
//   end of stream                           the runner ends
//
// A runner whose calls are counted (counter_sheet.hpp) gets Profile before Load, and Count in place of Go:
//
//   Profile{set} + the sheet's descriptor   Reply{ok | no_counters}     before Load; once a set of metrics
//   Count{set, first, count, how}           as Go, or no_counters       the judge fills the slots before each
//   Report{set}                             Reply{ok | no_counters}     after the last pass: the runner
//   writes the results into the sheet. A Count with kSpans may still follow
//
// A pass is one Count or several: opening and closing a pass takes longer than most calls, so the cases of a
// task share their passes. A Count without calls only opens or closes a pass, and may come before the
// candidate is loaded: opening the first pass takes a quarter to half a second.
//
// Nothing is sent between a Go and its Reply, so the judge's window is one packet there and one back. Keys
// and digests of sealed calls go through memory.
//
// Each argument has a memory file of its own with all its slots. A kernel on the CPU gets the files of its
// inputs by descriptors that are open for reading alone, and maps them so: whoever writes there ends by a
// fault. If there are more arguments than descriptors fit into one message, the weights, which all slots
// share, lie in one file. Arrange gives the offset at which each slot's argument begins. A runner in Python
// gets the same messages, and so does one for CUDA, whose descriptors are device allocations.
//
// Once a candidate is loaded, everything that the runner sends is a claim: the judge bounds it, and decides
// by what it measures itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridgeline::runner {

inline constexpr int kChannelFd = 3;  ///< the runner's end of the socket
inline constexpr std::size_t kMaxMemories = 120;
inline constexpr std::size_t kMaxMappings = 8;      ///< arenas that a runner maps at once
inline constexpr std::size_t kMaxArguments = 1536;  ///< tensors; some models have a thousand weights
inline constexpr std::size_t kMaxSizes = 24;
inline constexpr std::size_t kMaxScalars = 24;       ///< for each of the two kinds (languages/call_abi.hpp)
inline constexpr std::size_t kMaxPointers = 12'000;  ///< slots times arguments of one Arrange
inline constexpr std::size_t kMaxPath = 512;
inline constexpr std::size_t kMaxText = 1024;
inline constexpr std::size_t kPointerUnit =
    64;  ///< bytes; offsets are multiples of it, so buffers are aligned

/// Names a message's kind.
enum class Kind : std::uint32_t {
  load = 1,
  map,
  arrange,
  go,
  observe,
  profile,
  count,
  report,
  open,
  prepare_sealed
};

/// Begins each message.
struct Header {
  Kind kind = Kind::load;
  std::uint32_t sequence = 0;  ///< echoed by the reply
};

/// Loads the candidate.
struct Load {
  Header header{Kind::load, 0};
  std::array<char, kMaxPath> path{};  ///< absolute, ends with a zero
};

/// Says what happens to what the runner has mapped before.
enum class Mapped : std::uint32_t {
  alone,   ///< it is unmapped, at all places
  beside,  ///< what lies at other places stays mapped
  again    ///< all stays mapped; what lies at `place` is used again, and no descriptors come
};

/// Maps memory, which later Arrange messages refer to.
struct Map {
  Header header{Kind::map, 0};
  std::uint32_t place = 0;  ///< below kMaxMappings
  Mapped how = Mapped::alone;
  std::uint32_t arguments = 0;
  std::uint32_t memories = 0;
  std::array<std::uint64_t, kMaxMemories> bytes{};       ///< of each memory file
  std::array<std::uint16_t, kMaxArguments> memory_of{};  ///< for each argument, its memory
};

/// Gives sizes, scalars and the place of each slot's arguments.
struct Arrange {
  Header header{Kind::arrange, 0};
  std::uint32_t slots = 0;
  std::uint32_t arguments = 0;
  std::uint32_t replay = 0;  ///< K, if batches of K and of 2K calls are to be replayed as graphs; else 0
  std::uint32_t reserved = 0;
  std::array<std::int64_t, kMaxSizes> sizes{};
  std::array<double, kMaxScalars> float_scalars{};
  std::array<std::int64_t, kMaxScalars> int_scalars{};
  /// Offset of argument a in slot s, in units of kPointerUnit, at s * arguments + a. The rest is not sent.
  std::array<std::uint32_t, kMaxPointers> pointers{};
};

/// Says when a call of a batch may begin on a device. On a CPU each begins when the one ahead has returned.
enum class CallOrder : std::uint32_t {
  queued,      ///< when the candidate lets it: on streams of its own maybe before the one ahead has ended
  one_by_one,  ///< once all that the calls ahead began has ended, on whatever stream
  /// One by one, and the inputs of a call are sealed until the outputs of the one ahead have a digest. At
  /// most kMostSealedCalls. Before a load nothing is called, but all else is done.
  sealed
};

/// Calls slots as one batch.
struct Go {
  Header header{Kind::go, 0};
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  CallOrder order = CallOrder::queued;
  std::uint32_t reserved = 0;
};

/// Prepares batches with sealed inputs; the descriptors of the exchange and of the device's memory come with
/// it.
struct PrepareSealed {
  Header header{Kind::prepare_sealed, 0};
  std::uint64_t memory_bytes = 0;
  std::uint64_t evicted_bytes = 0;  ///< of it, which are read to empty the L2
};

/// Calls one slot and asks which operators it used.
struct Observe {
  Header header{Kind::observe, 0};
  std::uint32_t slot = 0;
  std::uint32_t reserved = 0;
};

/// Prepares counters; a sheet's descriptor comes with it.
struct Profile {
  Header header{Kind::profile, 0};
  std::uint32_t set = 0;
  std::uint32_t reserved = 0;
};

// Bits of Count::how.
inline constexpr std::uint32_t kOpensPass = 1;   ///< it is the first of a pass
inline constexpr std::uint32_t kClosesPass = 2;  ///< it is the last of a pass
inline constexpr std::uint32_t kByLaunch = 4;    ///< each launch is counted by itself; else all together
/// Nothing is counted: the runner writes whether the calls are one launch (CounterSheet::alone).
inline constexpr std::uint32_t kSurveys = 8;
/// Nothing is counted: the runner writes how long the calls' kernels ran (CounterSheet::span_seconds). Comes
/// after the set's Report.
inline constexpr std::uint32_t kSpans = 16;

/// Calls slots within a counted pass, or as the bits of `how` say.
struct Count {
  Header header{Kind::count, 0};
  std::uint32_t set = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t how = kOpensPass | kClosesPass;
};

/// Asks for the results of a set.
struct Report {
  Header header{Kind::report, 0};
  std::uint32_t set = 0;
  std::uint32_t reserved = 0;
};

/// Says how an order went.
enum class Answer : std::uint32_t {
  ready = 1,
  ok,
  load_error,      ///< `text`: what the loader said
  no_entry_point,  ///< `text`: the symbol
  call_error,      ///< the trampoline returned `code` (CUDA: a launch error), `text` its words
  refused,         ///< the order is malformed; never because of the candidate
  fault,           ///< unasked, from a signal's handler, just before the process ends
  no_counters,     ///< `text`: why this process or this machine counts nothing
  waiting,         ///< unasked, once, from an interpreter for a GPU: it waits for Header{open}
  no_sealing       ///< `text`: why this process cannot open sealed inputs
};

/// Answers each message.
struct Reply {
  Answer answer = Answer::ok;
  std::uint32_t sequence = 0;
  std::int32_t code = 0;  ///< the trampoline's code, or a fault's signal
  std::uint32_t text_bytes = 0;
  std::uint64_t ticks = 0;    ///< Go: time stamp counter at its end minus at its beginning
  double device_seconds = 0;  ///< Go: what a GPU's own events counted over the calls
  std::uint64_t fault_address = 0;
  std::uint64_t fault_offset = 0;  ///< of the instruction, from the candidate's load address; 0 if elsewhere
  std::array<std::uint64_t, kMaxMemories> bases{};  ///< Map: address of each memory file
  std::array<char, kMaxText> text{};
};

}  // namespace ridgeline::runner
