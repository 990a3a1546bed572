// What judge and runner say to each other over one SOCK_SEQPACKET socket: fixed layouts, one packet a
// message.
//
//   judge                                   runner
//                                           Reply{waiting}      of an interpreter for a GPU alone: torch is
//                                           imported, and the device not opened
//   Header{open}                            the device is opened
//                                           Reply{ready}        after start, before anything is loaded
//   Load{path}                              Reply{ok | load_error | no_entry_point}
//   Map{bytes…} + one descriptor each       Reply{ok}; `bases` tells where each lies. Of nothing: a rest
//   Arrange{pointers, sizes, scalars}       Reply{ok}; the workspace is made here. With a text: why batches
//                                           are no graphs
//   Go{first, count}                        Reply{ok, ticks}    after calling these slots in order
//   Observe{slot}                           Reply{ok}; the text names what of torch a call of this slot
//                                           computed by, a line an operator: its name and how often
//   end of stream                           the runner ends
//
// A runner whose calls are counted (counter_sheet.hpp) is told so before it loads, and hears Count in place
// of Go:
//
//   Profile{set} + the sheet's descriptor   Reply{ok | no_counters}     before Load; once a set of metrics
//   Count{set, first, count, how}           as Go, or no_counters       the judge refills between them
//   Report{set}                             Reply{ok | no_counters}     after the last pass: the sheet is
//   filled
//
// A pass is one Count or several: opening and closing one takes longer than most calls, so the cases of a
// task share their passes. A Count of no calls does nothing but open or close, and may come before the
// candidate is loaded: opening the first pass takes a fifth of a second. Between a Go and its Reply nothing
// else is said, so the judge's window is one packet there and one back. Each argument has a memory file of
// its own that holds all its slots and nothing else, but where they are too many for the descriptors of one
// message: then the weights, which all slots share, lie in one. Arrange says at which offset of its memory
// the argument of each slot begins. The same words fit a runner in Python, and one for CUDA, whose
// descriptors are device allocations.
//
// From the moment a candidate is loaded everything that comes from the runner is a claim: the judge bounds
// it, and decides by what it sees for itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridgeline::runner {

inline constexpr int kChannelFd = 3;  ///< the runner's end of the socket
inline constexpr std::size_t kMaxMemories = 120;
inline constexpr std::size_t kMaxMappings = 8;      ///< that a runner holds at once
inline constexpr std::size_t kMaxArguments = 1536;  ///< tensors; some models have a thousand weights
inline constexpr std::size_t kMaxSizes = 24;
inline constexpr std::size_t kMaxScalars = 24;       ///< of each of the two kinds (languages/call_abi.hpp)
inline constexpr std::size_t kMaxPointers = 12'000;  ///< slots times arguments of one Arrange
inline constexpr std::size_t kMaxPath = 512;
inline constexpr std::size_t kMaxText = 1024;
inline constexpr std::size_t kPointerUnit = 64;  ///< offsets are multiples of it: every buffer is so aligned

enum class Kind : std::uint32_t { load = 1, map, arrange, go, observe, profile, count, report, open };

struct Header {
  Kind kind = Kind::load;
  std::uint32_t sequence = 0;  ///< echoed by the reply
};

struct Load {
  Header header{Kind::load, 0};
  std::array<char, kMaxPath> path{};  ///< absolute, ends with a zero
};

/// What becomes of the mappings that the runner holds already.
enum class Mapped : std::uint32_t {
  alone,   ///< they go
  beside,  ///< those in other places stay
  again    ///< one of them is meant, and no descriptors come
};

/// What `arrange` is about from here on.
struct Map {
  Header header{Kind::map, 0};
  std::uint32_t place = 0;  ///< below kMaxMappings
  Mapped how = Mapped::alone;
  std::uint32_t arguments = 0;
  std::uint32_t memories = 0;
  std::array<std::uint64_t, kMaxMemories> bytes{};       ///< of each memory file
  std::array<std::uint16_t, kMaxArguments> memory_of{};  ///< each argument
};

struct Arrange {
  Header header{Kind::arrange, 0};
  std::uint32_t slots = 0;
  std::uint32_t arguments = 0;
  std::uint32_t replay =
      0;  ///< K: batches of K and of 2K calls are to be graphs of the first so many; 0: none
  std::uint32_t reserved = 0;
  std::array<std::int64_t, kMaxSizes> sizes{};
  std::array<double, kMaxScalars> float_scalars{};
  std::array<std::int64_t, kMaxScalars> int_scalars{};
  /// Offset in units of kPointerUnit of argument a in slot s, at s * arguments + a. Only so many are sent.
  std::array<std::uint32_t, kMaxPointers> pointers{};
};

struct Go {
  Header header{Kind::go, 0};
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct Observe {
  Header header{Kind::observe, 0};
  std::uint32_t slot = 0;
  std::uint32_t reserved = 0;
};

struct Profile {
  Header header{Kind::profile, 0};
  std::uint32_t set = 0;
  std::uint32_t reserved = 0;
};

/// Bits of Count::how: where in a pass it stands; whether each launch is counted by itself, in place of the
/// whole; or that nothing is counted, and what the calls have the device do is told (CounterSheet::alone).
inline constexpr std::uint32_t kOpensPass = 1, kClosesPass = 2, kByLaunch = 4, kSurveys = 8;

struct Count {
  Header header{Kind::count, 0};
  std::uint32_t set = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t how = kOpensPass | kClosesPass;
};

struct Report {
  Header header{Kind::report, 0};
  std::uint32_t set = 0;
  std::uint32_t reserved = 0;
};

enum class Answer : std::uint32_t {
  ready = 1,
  ok,
  load_error,      ///< `text`: what the loader said
  no_entry_point,  ///< `text`: the symbol
  call_error,      ///< the trampoline returned `code` (CUDA: a launch error), `text` its words
  refused,         ///< the judge asked nonsense; never for a candidate's fault
  fault,           ///< out of turn, by the handler of SIGSEGV and its like, just before the end
  no_counters,     ///< `text`: why this process or this machine counts nothing
  waiting          ///< out of turn, once: see above
};

struct Reply {
  Answer answer = Answer::ok;
  std::uint32_t sequence = 0;
  std::int32_t code = 0;  ///< of the trampoline; or the signal of a fault
  std::uint32_t text_bytes = 0;
  std::uint64_t ticks = 0;    ///< Go: time stamp counter, end minus begin
  double device_seconds = 0;  ///< Go: what a GPU's own events counted over the calls
  std::uint64_t fault_address = 0;
  std::uint64_t fault_offset = 0;  ///< of the instruction, from the candidate's load address; 0 if elsewhere
  std::array<std::uint64_t, kMaxMemories> bases{};  ///< Map: address of each memory file
  std::array<char, kMaxText> text{};
};

}  // namespace ridgeline::runner
