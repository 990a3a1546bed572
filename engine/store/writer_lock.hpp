// Exclusive right to write a store: flock(2) on `<path>.lock`, whose text is the holder's process id.
//
// The kernel drops the lock when the last copy of the descriptor closes, so a killed engine never leaves a
// stale one; the file itself stays. The descriptor is close-on-exec: workers do not inherit it.
#pragma once

#include <string>

namespace ridgeline::store {

class WriterLock {
 public:
  /// Throws BadInput if another holds it (naming its pid), MachineCannot if the file cannot be made.
  explicit WriterLock(const std::string& store_path);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;  // two owners would both close it
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace ridgeline::store
