#include "engine/verifier/reference_mark.hpp"

#include <unistd.h>

#include <atomic>
#include <limits>

namespace ridgeline::verifier {
namespace {

constexpr std::uint64_t held = std::numeric_limits<std::uint64_t>::max();

struct Marked {
  std::atomic<bool> in_use = false;
  std::atomic<std::uint64_t> going_on = 0;  ///< the number of the call; 0: none; `held`: must not return
  std::uint64_t last = 0;                   ///< written by the thread that set `in_use`
  const std::string* task = nullptr;        ///< written before `going_on` is stored, read after it is loaded
  const std::string* task_case = nullptr;
};

Marked& the_mark() {
  static Marked mark;
  return mark;
}

}  // namespace

ReferenceMark::ReferenceMark(const std::string& task, const std::string& task_case)
    : marked_(!the_mark().in_use.exchange(true, std::memory_order_acquire)) {
  if (!marked_) return;
  auto& mark = the_mark();
  mark.task = &task;
  mark.task_case = &task_case;
  mark.going_on.store(++mark.last, std::memory_order_release);
}

ReferenceMark::~ReferenceMark() {
  if (!marked_) return;
  auto& mark = the_mark();
  // If hold_reference won the race, the result must not reach anyone: the call was already reported as
  // hanging.
  if (mark.going_on.exchange(0, std::memory_order_acq_rel) == held)
    for (;;) ::pause();  // another thread reports this call, and ends the process
  mark.in_use.store(false, std::memory_order_release);
}

std::uint64_t marked_reference() {
  const auto number = the_mark().going_on.load(std::memory_order_acquire);
  return number == held ? 0 : number;
}

void hold_reference(std::uint64_t number,
                    const std::function<void(const std::string& task, const std::string& task_case)>& end) {
  auto& mark = the_mark();
  if (number == 0 || !mark.going_on.compare_exchange_strong(number, held, std::memory_order_acq_rel)) return;
  end(*mark.task, *mark.task_case);
}

}  // namespace ridgeline::verifier
