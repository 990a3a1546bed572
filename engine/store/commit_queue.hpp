// Group commit: a bounded queue of jobs and the thread that runs them, many a transaction. Writer's inner
// half.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/store/writer.hpp"

namespace ridgeline::store {

class Checkpointer;
class Inserts;

/// A transaction takes no further job after this long; committing it takes the rest of the promised 10 ms.
inline constexpr std::chrono::milliseconds gathering_limit{2};

class CommitQueue {
 public:
  struct Job {
    std::function<void(Inserts&)>
        work;  ///< may run twice: alone, if another job broke the transaction they shared
    Done done;
    bool alone = false;   ///< in a transaction of its own
    bool direct = false;  ///< its Done runs on this thread: for a caller who stands still and waits
  };

  /// Throws as Store::connect_to_write does.
  CommitQueue(const Store& store, Post post, std::size_t capacity);
  ~CommitQueue();                            ///< commits what is queued
  CommitQueue(const CommitQueue&) = delete;  // the thread holds its address
  CommitQueue& operator=(const CommitQueue&) = delete;

  void push(Job job);                                                  ///< blocks while the queue is full
  void push_and_wait(std::function<void(Inserts&)> work, bool alone);  ///< throws what the commit threw

 private:
  struct Failure {
    std::exception_ptr error;
    bool of_the_store = false;  ///< false: of one job
  };
  struct Attempt {
    std::size_t jobs = 0;  ///< how many the transaction held
    Failure failure;       ///< error null: committed
  };

  void run();
  std::vector<Job> take_all();  ///< waits; empty when it is time to end
  /// Commits some first jobs, at least one, and hands out their Dones; says how many.
  std::size_t commit_some(std::span<Job> jobs);
  Attempt commit_together(std::span<Job> jobs);
  Failure failure_in_flight() const;
  void hand_out(std::span<Job> jobs, std::vector<std::exception_ptr> errors);

  std::string path_;
  Post post_;
  std::size_t capacity_;

  // The thread's, once it runs.
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<Inserts> inserts_;
  std::unique_ptr<Checkpointer> checkpointer_;
  std::exception_ptr broken_;  ///< the first failure of the store itself

  std::mutex mutex_;
  std::condition_variable has_work_, has_room_;
  std::vector<Job> queued_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace ridgeline::store
