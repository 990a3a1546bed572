#include "engine/store/checkpointer.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <utility>

namespace ridgeline::store {
namespace {

constexpr int wake_every = 1000;  ///< pages of 4 KiB
constexpr int long_log = 16'000;  ///< 64 MiB: the writer moves the rest

/// A failure to checkpoint loses nothing: the log keeps what was committed, and a full disk shows in the next
/// commit.
void checkpoint(SQLite::Database& database) {
  sqlite3_wal_checkpoint_v2(database.getHandle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

}  // namespace

Checkpointer::Checkpointer(SQLite::Database& writing, std::unique_ptr<SQLite::Database> own)
    : writing_(writing), own_(std::move(own)) {
  sqlite3_wal_hook(  // replaces the automatic checkpoint
      writing_.getHandle(),
      [](void* self, sqlite3*, const char*, int pages) {
        static_cast<Checkpointer*>(self)->log_pages_ = pages;
        return SQLITE_OK;
      },
      this);
  thread_ = std::thread([this] { run(); });
}

Checkpointer::~Checkpointer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
  sqlite3_wal_hook(writing_.getHandle(), nullptr, nullptr);
}

void Checkpointer::committed() {
  if (log_pages_ < pages_at_wake_) pages_at_wake_ = 0;  // the log was begun anew
  if (log_pages_ >= long_log) checkpoint(writing_);
  if (log_pages_ - pages_at_wake_ < wake_every) return;
  pages_at_wake_ = log_pages_;
  {
    const std::lock_guard lock(mutex_);
    wanted_ = true;
  }
  wake_.notify_one();
}

void Checkpointer::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return wanted_ || stopping_; });
    if (stopping_) return;
    wanted_ = false;
    lock.unlock();
    checkpoint(*own_);
    lock.lock();
  }
}

}  // namespace ridgeline::store
