#include "engine/store/commit_queue.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <future>
#include <utility>

#include "engine/store/checkpointer.hpp"
#include "engine/store/inserts.hpp"
#include "engine/store/sqlite_errors.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::store {

using Clock = std::chrono::steady_clock;

CommitQueue::CommitQueue(const Store& store, Post post, std::size_t capacity)
    : path_(store.path()),
      post_(std::move(post)),
      capacity_(capacity),
      database_(store.connect_to_write()),
      inserts_(std::make_unique<Inserts>(*database_)),
      checkpointer_(std::make_unique<Checkpointer>(*database_, store.connect_to_write())) {
  thread_ = std::thread([this] { run(); });
}

CommitQueue::~CommitQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  has_work_.notify_one();
  thread_.join();
}

void CommitQueue::push(Job job) {
  {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [this] { return queued_.size() < capacity_; });
    queued_.push_back(std::move(job));
  }
  has_work_.notify_one();
}

void CommitQueue::push_and_wait(std::function<void(Inserts&)> work, bool alone) {
  std::promise<void> committed;
  push({.work = std::move(work),
        .done =
            [&committed](std::exception_ptr error) {
              error ? committed.set_exception(std::move(error)) : committed.set_value();
            },
        .alone = alone,
        .direct = true});
  committed.get_future().get();
}

void CommitQueue::run() {
  for (auto jobs = take_all(); !jobs.empty(); jobs = take_all())
    for (std::span<Job> rest = jobs; !rest.empty();) rest = rest.subspan(commit_some(rest));
}

std::vector<CommitQueue::Job> CommitQueue::take_all() {
  std::unique_lock lock(mutex_);
  has_work_.wait(lock, [this] { return stopping_ || !queued_.empty(); });
  auto taken = std::exchange(queued_, {});
  lock.unlock();
  has_room_.notify_all();
  return taken;
}

std::size_t CommitQueue::commit_some(std::span<Job> jobs) {
  if (broken_) {
    hand_out(jobs, std::vector(jobs.size(), broken_));
    return jobs.size();
  }
  const auto attempt = commit_together(jobs);
  const auto group = jobs.first(attempt.jobs);
  std::vector<std::exception_ptr> errors(group.size(), attempt.failure.error);
  if (attempt.failure.of_the_store) {
    broken_ = attempt.failure.error;
  } else if (attempt.failure.error && group.size() > 1) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (broken_) {
        errors[i] = broken_;
        continue;
      }
      const auto alone = commit_together(group.subspan(i, 1)).failure;
      errors[i] = alone.error;
      if (alone.of_the_store) broken_ = alone.error;
    }
  }
  hand_out(group, std::move(errors));
  checkpointer_->committed();
  return group.size();
}

CommitQueue::Attempt CommitQueue::commit_together(std::span<Job> jobs) {
  Attempt attempt;
  try {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    const auto began = Clock::now();
    for (auto& job : jobs) {
      const bool full = attempt.jobs > 0 &&
                        (job.alone || jobs[attempt.jobs - 1].alone || Clock::now() - began > gathering_limit);
      if (full) break;
      ++attempt.jobs;
      job.work(*inserts_);
    }
    transaction.commit();
  } catch (...) {  // the transaction has rolled back
    attempt.failure = failure_in_flight();
    if (attempt.jobs == 0) attempt.jobs = 1;  // it could not begin
  }
  return attempt;
}

CommitQueue::Failure CommitQueue::failure_in_flight() const {
  try {
    throw;
  } catch (const SQLite::Exception& error) {
    const bool of_the_store = fault_of(error) != Fault::rule;
    try {
      raise(error, path_);
    } catch (...) {
      return {std::current_exception(), of_the_store};
    }
  } catch (...) {
    return {std::current_exception(), false};
  }
}

void CommitQueue::hand_out(std::span<Job> jobs, std::vector<std::exception_ptr> errors) {
  struct Outcome {
    Done done;
    std::exception_ptr error;
  };
  std::vector<Outcome> posted, direct;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    if (jobs[i].done) (jobs[i].direct ? direct : posted).push_back({std::move(jobs[i].done), errors[i]});
  if (!posted.empty())
    post_([outcomes = std::move(posted)] {
      for (const auto& outcome : outcomes) outcome.done(outcome.error);
    });
  // Last, so that a flush returns after everything before it was posted.
  for (const auto& outcome : direct) outcome.done(outcome.error);
}

}  // namespace ridgeline::store
