#include "engine/verifier/reference_mark.hpp"

#include <unistd.h>

#include <atomic>
#include <limits>

namespace ridgeline::verifier {
namespace {

constexpr std::uint64_t held = std::numeric_limits<std::uint64_t>::max();

struct Marked {
  std::atomic<bool> taken = false;
  std::atomic<std::uint64_t> going_on = 0;  ///< a number, 0 or `held`
  std::uint64_t last = 0;                   ///< whoever took it writes
  const std::string* task = nullptr;        ///< written before, read after `going_on`
  const std::string* one_case = nullptr;
};

Marked& the_mark() {
  static Marked mark;
  return mark;
}

}  // namespace

ReferenceMark::ReferenceMark(const std::string& task, const std::string& one_case)
    : marked_(!the_mark().taken.exchange(true, std::memory_order_acquire)) {
  if (!marked_) return;
  auto& mark = the_mark();
  mark.task = &task;
  mark.one_case = &one_case;
  mark.going_on.store(++mark.last, std::memory_order_release);
}

ReferenceMark::~ReferenceMark() {
  if (!marked_) return;
  auto& mark = the_mark();
  if (mark.going_on.exchange(0, std::memory_order_acq_rel) == held)
    for (;;) ::pause();  // another thread answers for this one, and ends the process
  mark.taken.store(false, std::memory_order_release);
}

std::uint64_t marked_reference() {
  const auto number = the_mark().going_on.load(std::memory_order_acquire);
  return number == held ? 0 : number;
}

void hold_reference(std::uint64_t number,
                    const std::function<void(const std::string& task, const std::string& one_case)>& end) {
  auto& mark = the_mark();
  if (number == 0 || !mark.going_on.compare_exchange_strong(number, held, std::memory_order_acq_rel)) return;
  end(*mark.task, *mark.one_case);
}

}  // namespace ridgeline::verifier
