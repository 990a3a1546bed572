// The argument buffers of one case: for each tensor a piece of shared memory of its own that holds `slots`
// buffers, each between guard zones, at an address that shifts with every filling.
//
//   |  guard ... guard | data            | guard ... guard |   one slot of one argument
//                       ^ multiple of `unit`, moved at random
//
// A slot is what one call gets: one buffer of each argument. Guards hold a pattern from a secret key; a write
// outside the data shows there. A module's state (Tensor::state) is the same in every call: all slots share
// one buffer of it, which stays where it is and is filled once. Here is the layout; host_arena.hpp keeps it
// in memory files, device_arena.hpp in allocations of a GPU. One thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/judge/arenas/instance.hpp"

namespace ridgeline::judge {

inline constexpr std::size_t kGuardBytes = 1024;  ///< on each side
inline constexpr std::size_t kShiftSteps = 16;    ///< of one unit each

struct GuardDamage {
  std::size_t argument = 0;
  bool behind = false;       ///< else before the data
  std::size_t distance = 0;  ///< bytes between the data and the nearest changed byte
};

/// What a slot was filled with.
struct Filled {
  std::size_t slot = 0;
  std::variant<const std::vector<at::Tensor>*, const Instance*> inputs;
};

/// What is looked at after a call, or a batch of them.
struct Inspection {
  std::size_t first = 0, count = 1;  ///< slots just called, whose guards are looked at
  std::size_t ahead = 0;             ///< so many slots behind them no call has had yet
  std::vector<std::size_t> copied;   ///< slots whose outputs are wanted
  std::optional<Filled> filled;      ///< a slot whose inputs must be what they were
  /// Draws the places of outputs that are looked at, of `ahead` too; null: none.
  Random* places = nullptr;
};

struct Findings {
  /// Of each slot in `copied`, its out and inout tensors at full capacity, in the order of parameters, where
  /// the task is judged: private memory, so that nothing can change between two looks at it.
  std::vector<std::vector<at::Tensor>> copies;
  std::optional<GuardDamage> damage;         ///< the first
  std::optional<std::string> changed_input;  ///< name of the first tensor of role in
  /// Name of an out tensor that nobody wrote at the places looked at: cheap enough for every slot of a timed
  /// batch. Misses a partly written buffer: that is what full comparisons are for.
  std::optional<std::string> unwritten;
  std::optional<std::string> early;  ///< of an out tensor that somebody wrote already, in the slots ahead
};

/// How slots lie in their memory.
struct ArenaLayout {
  std::size_t unit = 64;    ///< bytes; every buffer begins at a multiple of it
  std::size_t page = 4096;  ///< bytes; slots begin at multiples of it

  std::size_t stride(std::size_t bytes) const;
};

/// Bytes that one slot of `one` takes, guards and rounding included.
std::size_t slot_bytes(const Task& task, const Case& one, const ArenaLayout& layout = {});

class Arena {
 public:
  virtual ~Arena() = default;
  Arena(const Arena&) = delete;  // runners map its memory
  Arena& operator=(const Arena&) = delete;

  /// No other arena of this process has it, before or after.
  std::uint64_t number() const { return number_; }
  std::size_t slots() const { return slots_; }
  std::size_t arguments() const { return arguments_.size(); }
  std::size_t bytes_per_slot() const;
  std::size_t bytes(std::size_t argument) const { return arguments_[argument].bytes; }
  /// Offset of a slot's data in the argument's memory.
  std::size_t offset(std::size_t slot, std::size_t argument) const;
  /// Pieces of memory that arguments lie in: one each, but that a module's state lies in one piece where
  /// there are more tensors than descriptors may travel together.
  std::size_t memories() const { return memories_.size(); }
  std::size_t memory_of(std::size_t argument) const { return arguments_[argument].memory; }
  /// The bytes of the argument's memory that are its own.
  struct Range {
    std::size_t begin, end;
  };
  Range range_of(std::size_t argument) const;
  /// Of a whole piece, as the runner must map it.
  virtual std::size_t memory_bytes(std::size_t memory) const = 0;
  virtual int descriptor(std::size_t memory) const = 0;
  /// Of the machine's own memory, that whoever maps it may have resident.
  virtual std::size_t host_bytes() const { return 0; }

  /// Copies of an argument's buffer: 1 of what all slots share.
  std::size_t copies(std::size_t argument) const { return shared(argument) ? 1 : slots_; }
  bool shared(std::size_t argument) const { return !tensors_[argument]->state.empty(); }

  // Before a call. Nothing of it need have happened before `settle` returns.

  /// What was begun and not settled never happens, and what slots share is filled anew at the next filling:
  /// to be said before a runner comes near it.
  virtual void forget() { shared_filled_.assign(shared_filled_.size(), false); }
  /// A new place for the slot's data, and fresh guards around it.
  void shift(std::size_t slot);
  /// `inputs` (in and inout tensors, where the task is judged, in the order of parameters) into the slot,
  /// poison into its outputs.
  virtual void fill(std::size_t slot, const std::vector<at::Tensor>& inputs) = 0;
  virtual void fill(std::size_t slot, const Instance& instance) = 0;
  /// Out of every cache of the machine, guards left alone.
  virtual void flush(std::size_t slot) = 0;
  virtual void settle() {}

  // After a call.

  /// All of it at one time: copies first, so that what is not there yet came too late.
  virtual Findings look(const Inspection& wanted) const = 0;
  std::optional<GuardDamage> check_guards(std::size_t first, std::size_t count = 1) const {
    return look({.first = first, .count = count}).damage;
  }
  /// Bytes of copies that may be kept at once.
  virtual std::size_t snapshot_bytes() const = 0;
  /// The inputs of each as tensors of their own, where the task is judged.
  virtual std::vector<std::vector<at::Tensor>> inputs_of(const std::vector<Instance>& instances) const = 0;
  std::vector<at::Tensor> inputs_of(const Instance& one) const { return inputs_of(std::vector{one}).front(); }
  /// The slot's in and inout tensors as views where they lie, for the reference.
  virtual std::vector<at::Tensor> view_inputs(std::size_t slot) const = 0;

 protected:
  /// `secret` seeds guards and shifts. `task` and `one` must live as long.
  Arena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret,
        const ArenaLayout& layout);

  virtual void write_guards(std::size_t slot) = 0;
  /// Of each piece of memory, what it must hold at least.
  const std::vector<std::size_t>& wanted() const { return memories_; }
  /// Whether a filling must write this argument; notes that it does.
  bool to_fill(std::size_t argument) {
    if (shared(argument) && shared_filled_[argument]) return false;
    shared_filled_[argument] = true;
    return true;
  }
  /// Calls `visit(tensor, position among tensors, position among those of in and inout)` for each input.
  template <class Visit>
  void each_input(Visit&& visit) const {
    std::size_t input = 0;
    for (std::size_t a = 0; a < tensors_.size(); ++a)
      if (tensors_[a]->role != Role::out) visit(*tensors_[a], a, input++);
  }

  const Task& task_;
  const Case& case_;
  std::vector<const Tensor*> tensors_;

 private:
  struct Argument {
    std::size_t bytes;
    std::size_t stride;
    std::size_t memory;
    std::size_t begin;  // in its memory
  };
  ArenaLayout layout_;
  std::uint64_t number_;
  std::size_t slots_;
  std::vector<Argument> arguments_;
  std::vector<std::size_t> memories_;  // bytes wanted of each
  std::vector<std::uint32_t> shifts_;  // of slot * arguments + argument, in units
  std::vector<bool> shared_filled_;    // of each argument
  Random random_;
};

/// "wrote outside `out`: element 1 past its end; …", for people.
std::string describe(const GuardDamage& damage, const Task& task);

}  // namespace ridgeline::judge
