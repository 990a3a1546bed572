// The argument buffers of one case: for each tensor a memory file of its own that holds `slots` buffers, each
// between guard zones, at an address that shifts with every filling.
//
//   |  guard ... guard | data            | guard ... guard |   one slot of one argument, whole pages
//                       ^ multiple of 64, moved at random
//
// A slot is what one call gets: one buffer of each argument. Guards hold a pattern from a secret key; a write
// outside the data shows there. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/judge/memory_file.hpp"

namespace ridgeline::judge {

inline constexpr std::size_t kGuardBytes = 1024;  ///< on each side
inline constexpr std::size_t kShiftSteps = 16;    ///< of 64 bytes each

struct GuardDamage {
  std::size_t argument = 0;
  bool behind = false;       ///< else before the data
  std::size_t distance = 0;  ///< bytes between the data and the nearest changed byte
};

/// Bytes that one slot of `one` takes, guards and rounding included.
std::size_t slot_bytes(const Task& task, const Case& one);

class Arena {
 public:
  /// Throws MachineCannot where the memory is not to be had. `secret` seeds guards and shifts.
  Arena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret);

  std::size_t slots() const { return slots_; }
  std::size_t arguments() const { return arguments_.size(); }
  const MemoryFile& file(std::size_t argument) const { return arguments_[argument].file; }
  std::size_t bytes_per_slot() const;

  /// A new place for the slot's data, and fresh guards around it.
  void shift(std::size_t slot);
  std::byte* data(std::size_t slot, std::size_t argument) const;
  std::size_t bytes(std::size_t argument) const { return arguments_[argument].bytes; }
  /// Offset of that data in the argument's file.
  std::size_t offset(std::size_t slot, std::size_t argument) const;

  std::optional<GuardDamage> check_guards(std::size_t slot) const;
  /// Out of every cache of the machine, guards left alone.
  void flush(std::size_t slot) const;

 private:
  struct Argument {
    MemoryFile file;
    std::size_t bytes;
    std::size_t stride;
  };
  std::size_t slots_;
  std::vector<Argument> arguments_;
  std::vector<std::uint32_t> shifts_;  // of slot * arguments + argument, in steps of 64 bytes
  std::vector<std::byte> pattern_;     // the key repeated, long enough for a guard at any phase
  Random random_;
};

/// "wrote outside `out`: element 1 past its end; …", for people.
std::string describe(const GuardDamage& damage, const Task& task);

}  // namespace ridgeline::judge
