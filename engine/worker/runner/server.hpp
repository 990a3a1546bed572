// Carries out a judge's orders, one packet after another, for a Side and a Candidate: serve.hpp's loop
// without its socket, so that any packets can be tried on it.
//
// The judge is trusted, yet no packet may crash a runner: an order of another size, or one that does not fit
// what came before, is refused. One thread.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/runner/candidate.hpp"
#include "engine/worker/runner/counting.hpp"
#include "engine/worker/runner/input_unsealer.hpp"
#include "engine/worker/runner/serve.hpp"
#include "engine/worker/runner/side.hpp"
#include "engine/worker/runner/wire.hpp"
#include "engine/worker/sandbox/lockdown.hpp"

namespace ridgeline::runner {

/// Holds any message of the judge. Every message begins with a header; the largest is Arrange.
union Packet {
  Header header;
  Load load;
  Map map;
  Arrange arrange;
  Go go;
  Observe observe;
  Profile profile;
  Count count;
  Report report;
  PrepareSealed prepare_sealed;
  Packet() : header{} {}
};

/// Owns the descriptors of one packet: closes those that nobody took.
class OwnedDescriptors {
 public:
  explicit OwnedDescriptors(std::span<int> descriptors) : left_(descriptors) {}
  OwnedDescriptors(const OwnedDescriptors&) = delete;  // each is closed once
  OwnedDescriptors& operator=(const OwnedDescriptors&) = delete;
  ~OwnedDescriptors() {
    for (const int descriptor : left_) ::close(descriptor);
  }

  std::size_t size() const { return left_.size(); }
  /// Gives all of them to the caller, who closes them.
  std::span<int> release() { return std::exchange(left_, {}); }
  /// Gives the only one; nothing if there is another number of them.
  FileDescriptor only() { return size() == 1 ? FileDescriptor(release()[0]) : FileDescriptor(); }

 private:
  std::span<int> left_;
};

class Server {
 public:
  /// `channel` is the runner's end of the socket; it stays the caller's. Locked down as a library or an
  /// interpreter, the process may write to it, stdout and stderr alone. Throws MachineCannot if a lockdown
  /// cannot be prepared.
  Server(int channel, std::unique_ptr<Side> side, std::unique_ptr<Candidate> candidate, Lockdowns lockdowns,
         Means means = {});

  /// Carries out the order in the first `bytes` bytes of `packet`, at least a header's, and returns the reply
  /// with the order's sequence. Closes all `descriptors`. Throws MachineCannot if a lockdown cannot be laid.
  Reply answer(const Packet& packet, std::size_t bytes, std::span<int> descriptors);

 private:
  Reply carry_out(const Packet& packet, std::size_t bytes, OwnedDescriptors& descriptors);
  Reply load(const Load& load);
  Reply map(const Map& map, OwnedDescriptors& descriptors);
  Reply arrange(const Arrange& arrange, std::size_t bytes);
  Reply go(const Go& go);
  Reply observe(const Observe& observe);
  Reply profile(const Profile& profile, FileDescriptor sheet);
  Reply prepare_sealed(const PrepareSealed& order, OwnedDescriptors& descriptors);
  Reply count(const Count& count);
  Reply report(const Report& report);
  Reply call(std::size_t first, std::size_t count, CallOrder order = CallOrder::queued);
  /// How the calls of a batch went: the candidate's code, and the device's with its words.
  struct Called {
    int code = 0, device = 0;
    std::string error;
  };
  Called call_one_by_one(std::size_t first, std::size_t count);
  Called call_sealed(std::size_t first, std::size_t count);
  template <class Begin, class End>
  Reply observed(const Count& count, Begin&& begin, End&& end);
  bool make_workspace();

  std::unique_ptr<Side> side_;
  std::unique_ptr<Candidate> candidate_;
  std::unique_ptr<Counting> counting_;
  std::unique_ptr<InputUnsealer> unsealer_;
  std::vector<int> fds_;
  std::optional<sandbox::Lockdown> lockdown_;
  std::optional<sandbox::LibraryLockdowns> library_;
  std::vector<std::uint16_t> memory_of_;  // each argument
  Arrangement arranged_;
  bool loaded_ = false;
  bool has_sizes_ = false;
};

}  // namespace ridgeline::runner
