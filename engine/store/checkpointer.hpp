// Moves committed pages from the log into the store's file, beside the writer instead of inside its commits,
// where a checkpoint would add its 10 ms to every twentieth group.
//
// A checkpoint beside a busy writer never quite reaches the log's end, and only a log that was moved whole is
// begun anew. So once the log is long the writer moves the short rest itself (`committed`).
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace SQLite {
class Database;
}

namespace ridgeline::store {

class Checkpointer {
 public:
  /// `writing` is the writer's connection, `own` a second one to the same file for the thread. Commits on
  /// `writing` no longer checkpoint by themselves.
  Checkpointer(SQLite::Database& writing, std::unique_ptr<SQLite::Database> own);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;  // its address is the hook's argument
  Checkpointer& operator=(const Checkpointer&) = delete;

  /// After each commit, on the writer's thread.
  void committed();

 private:
  void run();

  SQLite::Database& writing_;
  std::unique_ptr<SQLite::Database> own_;
  int log_pages_ = 0;      ///< the writer's: length of the log after its last commit
  int pages_at_wake_ = 0;  ///< the writer's
  std::mutex mutex_;
  std::condition_variable wake_;
  bool wanted_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace ridgeline::store
