// Lays out the argument buffers of one case. Each tensor has a piece of shared memory that holds `slots`
// buffers, each between guard zones. `shift` moves a slot's buffers to other addresses.
//
//   |  guard ... guard | data            | guard ... guard |   one slot of one argument
//                       ^ multiple of `unit`, moved at random
//
// A slot is what one call gets: one buffer of each argument. Guards hold a pattern from a secret key, so a
// write outside the data shows there. A module's state (Tensor::state) is the same in every call: all slots
// share one buffer of it, which never moves and is filled once. host_arena.hpp keeps arenas in memory files,
// device_arena.hpp in allocations of a GPU. One thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/judge/arenas/instance.hpp"
#include "engine/worker/runner/sealed_exchange.hpp"

namespace ridgeline::judge {

inline constexpr std::size_t kGuardBytes = 1024;  ///< on each side of a buffer
inline constexpr std::size_t kShiftSteps = 16;    ///< places that a buffer may have, one unit apart

/// Where a guard was overwritten.
struct GuardDamage {
  std::size_t argument = 0;
  bool behind = false;       ///< true: after the data; false: before it
  std::size_t distance = 0;  ///< bytes between the data and the nearest changed byte
};

/// A slot and the inputs that it was filled with.
struct FilledSlot {
  std::size_t slot = 0;
  std::variant<const std::vector<at::Tensor>*, const Instance*> inputs;
};

/// Orders an inspection after a call or a batch of calls.
struct Inspection {
  std::size_t first = 0, count = 1;  ///< the slots just called, whose guards are checked
  std::vector<std::size_t> copied;   ///< slots whose outputs are copied
  std::optional<FilledSlot> filled;  ///< a slot whose inputs must be unchanged
  /// Draws the places at which outputs are checked for poison; null: outputs are not
  /// checked.
  Random* places = nullptr;
};

/// Reports the outputs that an inspection copied and the first violation of each kind.
struct InspectionResult {
  /// For each slot in `copied`: its out and inout tensors at full capacity, in the order of parameters,
  /// where the task is judged. They are private memory, so nothing can change between two reads.
  std::vector<std::vector<at::Tensor>> copies;
  std::optional<GuardDamage> damage;         ///< the first damaged guard
  std::optional<std::string> changed_input;  ///< name of the first changed tensor of role in
  /// Name of an out tensor that nobody wrote at the checked places. This is cheap enough for every slot of a
  /// timed batch. It misses a partly written buffer, which full comparisons find.
  std::optional<std::string> unwritten;
};

/// How buffers are aligned in their memory.
struct ArenaLayout {
  std::size_t unit = 64;    ///< bytes; every buffer begins at a multiple of it
  std::size_t page = 4096;  ///< bytes; slots begin at multiples of it

  /// The distance of two slots whose data has `bytes` bytes.
  std::size_t stride(std::size_t bytes) const;
};

/// The bytes that one slot of a case adds to an arena, with guards and rounding. A module's state is not
/// counted, since all slots share it.
std::size_t slot_bytes(const Task& task, const Case& one, const ArenaLayout& layout = {});

/// The buffers of one case, in memory that a runner maps too.
class Arena {
 public:
  virtual ~Arena() = default;
  Arena(const Arena&) = delete;  // runners map its memory, and it refers to its task
  Arena& operator=(const Arena&) = delete;

  /// A number that no other arena of this process ever has.
  std::uint64_t number() const { return number_; }
  std::size_t slots() const { return slots_; }
  std::size_t arguments() const { return arguments_.size(); }
  std::size_t bytes_per_slot() const;
  std::size_t bytes(std::size_t argument) const { return arguments_[argument].bytes; }
  /// The offset of a slot's data in the argument's memory.
  std::size_t offset(std::size_t slot, std::size_t argument) const;
  /// The number of pieces of memory. Each argument has its own piece; but if there are more tensors than
  /// descriptors may be sent together, a module's state shares one piece.
  std::size_t memories() const { return memories_.size(); }
  std::size_t memory_of(std::size_t argument) const { return arguments_[argument].memory; }
  /// The range of bytes in the argument's memory that belong to it.
  struct Range {
    std::size_t begin, end;
  };
  Range range_of(std::size_t argument) const;
  /// The size of a whole piece, as the runner must map it.
  virtual std::size_t memory_bytes(std::size_t memory) const = 0;
  /// The descriptor by which a runner maps the piece; owned by the arena.
  virtual int descriptor(std::size_t memory) const = 0;
  /// The descriptor by which a kernel's runner maps the piece: for reading alone where that can be enforced
  /// and all its arguments have the role in. Owned by the arena.
  virtual int descriptor_for_kernel(std::size_t memory) const { return descriptor(memory); }
  /// Returns whether a kernel's runner can read the piece and not write to it.
  bool read_only(std::size_t memory) const { return descriptor_for_kernel(memory) != descriptor(memory); }
  /// The bytes of the machine's own memory that a process which maps the arena may have resident.
  virtual std::size_t host_bytes() const { return 0; }

  /// How many buffers an argument has: one if all slots share it.
  std::size_t copies(std::size_t argument) const { return shared(argument) ? 1 : slots_; }
  bool shared(std::size_t argument) const { return !tensors_[argument]->state.empty(); }

  // Before a call. Its effects are certain only when `settle` has returned.

  /// Drops the fillings for which `settle` was not called (on a GPU; on a CPU all have happened at once), and
  /// has the next `fill` write the shared buffers again. Overwrites nothing itself. Call it before another
  /// runner maps the arena, and before shared buffers get other values.
  virtual void discard_fillings() { shared_filled_.assign(shared_filled_.size(), false); }
  /// Discards fillings, and overwrites all of the memory where that is the machine's own: data, guards and
  /// what lies between slots. Call it before a runner maps an arena that another runner had, so that it finds
  /// nothing of that one's. Each slot's next `shift` writes its guards again.
  virtual void clear() { discard_fillings(); }
  /// Frees the memory: no slot can be filled or inspected any more, but `inputs_of` still draws. Runners must
  /// have unmapped it, and no view of it may be used. Does nothing where memory is the machine's own.
  virtual void let_go() {}
  /// Moves the slot's data to a new place, and writes fresh guards around it.
  void shift(std::size_t slot);
  /// Writes `inputs` (in and inout tensors in the order of parameters, where the task is judged) into the
  /// slot, and poison into its out tensors. A shared buffer is written by the first `fill` alone, of
  /// whatever slot, until fillings are discarded. `inputs` must live until `settle` has returned.
  virtual void fill(std::size_t slot, const std::vector<at::Tensor>& inputs) = 0;
  /// Does the same with the instance's inputs, which its stream draws.
  virtual void fill(std::size_t slot, const Instance& instance) = 0;
  /// Flushes the slot's data from the caches. On a CPU this is done at once, and guards are left alone. On a
  /// GPU the next `settle` empties the whole L2.
  virtual void flush(std::size_t slot) = 0;
  /// Waits until everything asked for above has happened.
  virtual void settle() {}
  /// Settles, then returns whether outputs of the `count` filled slots still hold poison, at a random place
  /// of each. Somebody who waited for the inputs may have begun to write. True where nobody can wait.
  virtual bool settle_and_check_outputs([[maybe_unused]] std::size_t first,
                                        [[maybe_unused]] std::size_t count, [[maybe_unused]] Random& random) {
    settle();
    return true;
  }

  // Sealed inputs (docs/decisions/sealed-inputs.md); on a GPU alone.

  /// What of each argument is sealed, and what enters a digest: inputs and outputs that a slot has for
  /// itself.
  std::vector<runner::SealedArgument> sealed_arguments() const;
  /// Settles the first keys.size() slots, the inputs of slot i sealed under keys[i]. These lie in the open in
  /// memory of this process alone, so that not even a copy engine can read them.
  virtual void settle_sealed([[maybe_unused]] std::span<const std::uint64_t> keys) { settle(); }
  /// Returns the digest of the outputs of each of these slots as they are now, and of the memory that is read
  /// to empty the L2, if it was `emptied`; empty if that memory was changed.
  virtual std::vector<cuda::OutputDigest> digests([[maybe_unused]] std::span<const std::uint64_t> keys,
                                                  [[maybe_unused]] bool emptied) {
    return {};
  }

  /// Returns the seconds by which opening a slot's inputs, emptying the L2 if `empties_cache`, and making the
  /// digest of its outputs takes longer than the same for no argument, measured over `slots` slots. Leaves
  /// them sealed, so fill them after it.
  virtual double opening_seconds([[maybe_unused]] std::size_t slots, [[maybe_unused]] bool empties_cache) {
    return 0;
  }
  /// Returns the bytes of a slot's inputs that may lie in the L2, not yet written back, once they are opened.
  virtual std::size_t opened_bytes_in_cache() const { return 0; }

  // After a call.

  /// Performs the inspection at one moment. Outputs are copied first, so that a late write is not accepted.
  virtual InspectionResult inspect(const Inspection& inspection) const = 0;
  /// Checks the guards of `count` slots.
  std::optional<GuardDamage> check_guards(std::size_t first, std::size_t count = 1) const {
    return inspect({.first = first, .count = count}).damage;
  }
  /// The bytes of copied outputs that may be kept at once.
  virtual std::size_t snapshot_bytes() const = 0;
  /// Returns the inputs of each instance as tensors that own their memory, where the task is judged.
  virtual std::vector<std::vector<at::Tensor>> inputs_of(const std::vector<Instance>& instances) const = 0;
  std::vector<at::Tensor> inputs_of(const Instance& instance) const {
    return inputs_of(std::vector{instance}).front();
  }
  /// Returns the slot's in and inout tensors as views where they lie, for the reference.
  virtual std::vector<at::Tensor> view_inputs(std::size_t slot) const = 0;

 protected:
  /// `secret` seeds guards and shifts. `task` and the case must outlive the arena.
  Arena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret,
        const ArenaLayout& layout);

  /// Writes the guards of a slot.
  virtual void write_guards(std::size_t slot) = 0;
  /// The least size of each piece of memory.
  const std::vector<std::size_t>& least_bytes() const { return memories_; }
  /// Whether a filling must write this argument; records that it does.
  bool must_fill(std::size_t argument) {
    if (shared(argument) && shared_filled_[argument]) return false;
    shared_filled_[argument] = true;
    return true;
  }
  /// Calls `visit(tensor, position among all tensors, position among in and inout tensors)` for each input.
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
    std::size_t begin;  // offset in its memory
  };
  ArenaLayout layout_;
  std::uint64_t number_;
  std::size_t slots_;
  std::vector<Argument> arguments_;
  std::vector<std::size_t> memories_;  // least bytes of each
  std::vector<std::uint32_t> shifts_;  // for slot * arguments + argument, in units
  std::vector<bool> shared_filled_;    // for each argument
  Random random_;
};

/// Describes damage for people: "wrote outside `out`: element 1 past its end; …".
std::string describe(const GuardDamage& damage, const Task& task);

}  // namespace ridgeline::judge
