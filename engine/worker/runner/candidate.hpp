// What the server asks of a candidate, whatever it is: a library of machine code, or a model in an
// interpreter.
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

/// What the judge arranged for the calls to come.
struct Arrangement {
  std::vector<void*> pointers;  ///< of argument a in slot s, at s * arguments + a
  std::size_t arguments = 0;
  std::array<std::int64_t, kMaxSizes> sizes{};
  std::array<double, kMaxScalars> float_scalars{};
  std::array<std::int64_t, kMaxScalars> int_scalars{};
  void* workspace = nullptr;
  std::size_t replay = 0;  ///< K, where batches of K and of 2K calls are to be graphs; 0: none
  void* stream = nullptr;  ///< of the device, which calls are given

  std::size_t slots() const { return arguments == 0 ? 0 : pointers.size() / arguments; }
};

struct Refusal {
  Answer answer = Answer::refused;
  std::string text;
};

class Candidate {
 public:
  virtual ~Candidate() = default;

  /// Before the lockdown: none of its code runs in here. Empty: it can be loaded.
  virtual std::optional<Refusal> prepare(const char*) { return std::nullopt; }

  /// Its own code runs in here for the first time. Empty: it can be called.
  virtual std::optional<Refusal> load(const char* path) = 0;

  /// Bytes of scratch that it wants for these sizes.
  virtual std::size_t workspace_bytes(const std::int64_t*) { return 0; }

  /// Before the first of the calls to come, outside of every timed window. The buffers are not yet filled. A
  /// refusal with Answer::ok is none: its text says why batches are not replayed as graphs.
  virtual std::optional<Refusal> arrange(const Arrangement&) { return std::nullopt; }

  /// Whether what it launches goes to the stream that it is given, so that a graph of it can be made. A
  /// module of torch allocates in each call, which no graph bears.
  virtual bool recordable() const { return true; }

  /// Nothing is mapped any more, and others are at work: what it keeps for later calls goes back.
  virtual void rest() {}

  /// Calls `count` slots from `first` on, in order, up to the first that fails: 0, or its error code. One
  /// virtual call a batch, so that the loop itself costs what it must. An empty batch is asked for only
  /// before `load`, to learn what one takes.
  virtual int run(const Arrangement& arrangement, std::size_t first, std::size_t count) = 0;

  /// Calls one slot and tells by which operators of a framework it computed (wire.hpp); refuses where there
  /// is none.
  virtual Refusal observe(std::size_t) { return {Answer::refused, "no framework is at hand"}; }

  /// The words for the code that `run` returned.
  virtual std::string error_text(int code) = 0;
};

/// A library that the loader of this process takes in (languages/call_abi.hpp).
std::unique_ptr<Candidate> make_library_candidate();

/// The same, whose batches on a CUDA device are replayed as graphs where that is arranged. The device's
/// context must be current.
std::unique_ptr<Candidate> make_replayed(std::unique_ptr<Candidate> candidate);

}  // namespace ridgeline::runner
