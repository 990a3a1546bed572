// Makes the buffers of a task in the memory of the host or of a GPU, and says how much there is. A backend
// implements this port. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/core/task.hpp"
#include "engine/worker/judge/arenas/arena.hpp"
#include "engine/worker/judge/tasks/memory_account.hpp"

namespace ridgeline::judge {

class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// Makes an arena of `slots` slots for a case. Throws if there is no memory for it.
  virtual std::unique_ptr<Arena> make_arena(const Task& task, const Case& definition, std::size_t slots) = 0;
  /// Returns how many slots a timing arena of the case should have: enough for batches well above a wake-up's
  /// jitter, within a cap on memory; a multiple of three, at least three. `reference_seconds`: of one call of
  /// the reference, 0 if unknown.
  virtual std::size_t timing_slots(const Task& task, const Case& definition,
                                   double reference_seconds) const = 0;
  /// Returns whether one set of the case's arguments is so large that its expectations are not kept:
  /// they are computed anew for each candidate, and one slot must do where two are wanted.
  virtual bool needs_streaming(const Task&, const Case&) const { return false; }
  /// Returns the elements of a slice into which runs for expectations may be cut (verifier/slices.hpp); 0:
  /// never. Where nothing is kept, several outputs in float64 side by side may be more than the memory.
  virtual std::int64_t slice_elements(const Task&, const Case&) const { return 0; }
  /// Returns the bytes that prepared tasks may hold, their slots included.
  virtual std::size_t task_bytes() const = 0;
  /// Gives the device back the memory that this process caches and does not use now.
  virtual void give_back_cached() {}
  /// Returns the bytes of the device's memory; 0 without a device.
  virtual double total_bytes() { return 0; }
  /// Returns the bytes of the device's memory that no process holds; 0 without a device.
  virtual double free_bytes() { return 0; }
  /// Looks who holds what, for the account. Does nothing without a device.
  virtual void look() {}
  MemoryAccount& account() { return account_; }

 private:
  MemoryAccount account_;
};

}  // namespace ridgeline::judge
