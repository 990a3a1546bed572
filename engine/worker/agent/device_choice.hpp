// Chooses which of several waiting requests an idle device measures next. No I/O; one thread.
//
// A judge keeps what it learned of a task: expectations, secret inputs, its baseline's times. Learning that
// takes up to seconds, so a task stays on the devices where it is at home: the one that prepared for it while
// it had no home, and those that began to measure it.
// Nothing that was learned or timed on one device is used on another: each device has a judge of its own, and
// that judge has one device.
//
// The only device of its backend takes all that waits, in order. Of several, an idle one takes the oldest
// request that
//   1. was passed over kMostPassed times: any device then took a younger one (so none starves),
//   2. or has its task at home here, or nowhere,
//   3. or waits behind kDeepQueue older ones for its home: to learn the task takes about as long,
//   4. or is of a task of which kMissed requests began at home after an idle device had left them there. The
//      count is the task's, whichever device left them. It is 0 again when the task gets a further home.
// It takes none where all that waits is at home elsewhere and has its turn there soon. A request whose judge
// died on a device goes to another one, while there is another one.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ridgeline::agent {

/// A built request that waits for a device of its backend.
struct WaitingRequest {
  std::string id;
  std::string task;  ///< "": nothing is kept of it
  int lost_on = -1;  ///< the device whose judge died under it; -1: none did
};

class DeviceChoice {
 public:
  static constexpr int kMostPassed = 16;
  static constexpr std::size_t kDeepQueue = 2;
  static constexpr int kMissed = 3;

  // `device` is the scheduler's number, which counts devices of all backends. `devices` is how many of that
  // device's backend are not given up.

  /// Returns the id that the idle `device` measures next of `waiting`, oldest first; empty if none. Counts
  /// which requests it passes over or leaves to their home.
  std::optional<std::string> choose(int device, std::size_t devices,
                                    const std::vector<WaitingRequest>& waiting);
  /// Whether the idle `device` should prepare for a request of `task` that is being built: if the task is at
  /// home there, or nowhere.
  bool should_prepare(int device, std::size_t devices, const std::string& task) const;
  /// The device begins to prepare for `task`. A task without a home is at home there from now on.
  void preparation_begins(const std::string& task, int device);
  /// The device begins to measure the request `id`. Its task is at home there from now on.
  void measurement_begins(const std::string& id, const std::string& task, int device);
  /// Forgets what was counted of the request `id`, which ended or was cancelled.
  void forget(const std::string& id);
  /// The device measures nothing any more, so no task is at home there.
  void device_given_up(int device);

 private:
  struct Home {
    std::set<int> devices;
    int missed = 0;  ///< requests that began at home after any other device had left them there
  };
  struct Waits {
    int passed = 0;         ///< times that any device left it and took a younger request
    bool declined = false;  ///< any idle device left it to its home and took none
  };
  std::map<std::string, Home> homes_;   // by task
  std::map<std::string, Waits> waits_;  // by request
};

}  // namespace ridgeline::agent
