// A queue between threads. Bounds are the scheduler's business, so none here.
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

  /// Waits for an item; nullopt once the queue is closed, whatever it still holds.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (closed_) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    return item;
  }

  /// Waits until it is closed, at most `seconds`. True if it is.
  template <class Duration>
  bool closed_within(Duration duration) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, duration, [&] { return closed_; });
  }

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
