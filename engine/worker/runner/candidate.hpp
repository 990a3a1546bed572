// The port behind which the server (serve.hpp) runs a candidate: a library of machine code, or a model in an
// interpreter. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {

/// Says where the arguments of the next calls lie, as the judge arranged them.
struct Arrangement {
  std::vector<void*> pointers;  ///< argument a of slot s is at s * arguments + a
  std::size_t arguments = 0;
  std::array<std::int64_t, kMaxSizes> sizes{};
  std::array<double, kMaxScalars> float_scalars{};
  std::array<std::int64_t, kMaxScalars> int_scalars{};
  void* workspace = nullptr;  ///< scratch of the candidate; null: it asked for none
  std::size_t replay = 0;     ///< K, if batches of K and of 2K calls are to be replayed as graphs; else 0
  void* stream = nullptr;     ///< the device's stream that calls are given; null on a CPU

  std::size_t slots() const { return arguments == 0 ? 0 : pointers.size() / arguments; }
};

/// Says why an order was not carried out.
struct Refusal {
  Answer answer = Answer::refused;
  std::string text;
};

class Candidate {
 public:
  virtual ~Candidate() = default;

  /// Prepares to load, before the lockdown: none of the candidate's code may run in here. Returns empty if it
  /// can be loaded.
  virtual std::optional<Refusal> prepare(const char*) { return std::nullopt; }

  /// Loads it; its own code runs in here for the first time. Returns empty if it can be called.
  virtual std::optional<Refusal> load(const char* path) = 0;

  /// Returns the bytes of scratch that it wants for these sizes.
  virtual std::size_t workspace_bytes(const std::int64_t*) { return 0; }

  /// Prepares the calls to come, outside of every timed window and before the buffers are filled. Returns
  /// empty if all is well. A refusal with Answer::ok only says why batches are not replayed as graphs.
  virtual std::optional<Refusal> arrange(const Arrangement&) { return std::nullopt; }

  /// Returns whether it launches onto the stream that it is given, so that its calls can be captured in a
  /// graph. A module of torch allocates in each call, which cannot be captured.
  virtual bool capturable() const { return true; }

  /// Frees what it keeps for later calls: nothing is mapped any more, and others need the memory.
  virtual void release_memory() {}

  /// Calls `count` slots from `first` on, in order, up to the first that fails. Returns 0 or its error code.
  /// One virtual call does a whole batch, so that the loop costs no more than it must. An empty batch comes
  /// only before `load`, to measure what one takes.
  virtual int run(const Arrangement& arrangement, std::size_t first, std::size_t count) = 0;

  /// Calls one slot. Returns which operators of a framework it used (wire.hpp), or a refusal without a
  /// framework.
  virtual Refusal observe(std::size_t) { return {Answer::refused, "no framework is at hand"}; }

  /// Returns the words for a code that `run` returned.
  virtual std::string error_text(int code) = 0;
};

/// Makes a candidate that is a library, loaded into this process (languages/call_abi.hpp).
std::unique_ptr<Candidate> make_library_candidate();

/// Wraps a candidate so that its batches on a CUDA device are replayed as graphs if that is arranged. The
/// device's context must be current.
std::unique_ptr<Candidate> make_replayed(std::unique_ptr<Candidate> candidate);

}  // namespace ridgeline::runner
