// A queue between threads. It has no bound, because the scheduler bounds what is in flight. All methods may
// be called from any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace ridgeline::agent {

template <class T>
class BlockingQueue {
 public:
  void push(T item) {
    {
      const std::lock_guard lock(mutex_);
      items_.push_back(std::move(item));
    }
    changed_.notify_one();
  }

  /// Waits for an item. Returns nullopt once the queue is closed, even if it still holds items.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (closed_) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    return item;
  }

  /// Waits until the queue is closed, at most for `duration`. Returns whether it is. Serves as a sleep that
  /// `close` interrupts.
  template <class Duration>
  bool closed_within(Duration duration) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, duration, [&] { return closed_; });
  }

  /// Wakes all threads that wait; they drop what is queued.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace ridgeline::agent
