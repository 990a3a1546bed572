#include "llm_clients/batch_queue.hpp"

#include <algorithm>

#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

void BatchQueue::add(std::string id, std::size_t bytes, Time now) {
  waiting_.push_back({std::move(id), bytes});
  bytes_ += bytes;
  // Each new request prolongs the wait: a strategy begins its requests one after the other.
  last_ = std::max(last_, now);
}

void BatchQueue::hold_until(Time time) {
  held_until_ = std::max(held_until_, time);
}

bool BatchQueue::full() const {
  return waiting_.size() >= limits_.requests || bytes_ >= limits_.bytes;
}

std::optional<BatchQueue::Time> BatchQueue::due() const {
  if (waiting_.empty()) return std::nullopt;
  // A full batch goes at once; more requests would only go into the next one.
  return std::max(held_until_, full() ? last_ : last_ + clock_seconds(limits_.window));
}

std::vector<std::string> BatchQueue::take(Time now) {
  const auto time = due();
  if (!time || *time > now) return {};
  std::vector<std::string> batch;
  std::size_t bytes = 0;
  // The first request goes however large it is; the provider then refuses it with its own reason.
  while (!waiting_.empty() && batch.size() < limits_.requests &&
         (batch.empty() || bytes + waiting_.front().bytes <= limits_.bytes)) {
    bytes += waiting_.front().bytes;
    batch.push_back(std::move(waiting_.front().id));
    waiting_.pop_front();
  }
  bytes_ -= bytes;
  return batch;
}

std::vector<std::string> BatchQueue::take_all() {
  std::vector<std::string> all;
  for (auto& waiting : waiting_) all.push_back(std::move(waiting.id));
  waiting_.clear();
  bytes_ = 0;
  return all;
}

}  // namespace ridgeline::llm
