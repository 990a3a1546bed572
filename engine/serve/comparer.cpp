#include "engine/serve/comparer.hpp"

#include <mutex>

#include "engine/compare/compare.hpp"
#include "engine/core/error.hpp"
#include "engine/report/html.hpp"
#include "engine/report/report.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::serve {
namespace {

constexpr double pause_factor = 10;  ///< pause over the time of the last computation

std::string comparison_html(const store::Store& store) {
  const std::string title = "<h2>Strategies at equal budget</h2>";
  try {
    const store::Reader reader(store);
    const std::vector<const store::Reader*> readers{&reader};
    const auto comparison = compare::compare(readers, compare::CompareOptions{});
    return title + report::report_sections(comparison, {{store.path(), &reader}},
                                           [](const compare::TrajectoryResult& result) {
                                             return "/trajectory/" + std::to_string(result.id);
                                           });
  } catch (const BadInput&) {  // no trajectory has begun
    return title + "<p class=\"quiet\">Nothing to compare yet.</p>";
  } catch (const std::exception& error) {
    return title + "<p class=\"bad\">" + report::escaped(error.what()) + "</p>";
  }
}

}  // namespace

struct Comparer::Shared {
  const store::Store& store;
  Clock clock;
  std::mutex mutex;
  bool running = false;
  std::optional<std::string> mark;  ///< of the store when the last computation was started
  double not_before = 0;            ///< the clock's time at which the next may begin
  Current current;
};

Comparer::Comparer(const store::Store& store, Background background, Clock clock)
    : shared_(new Shared{store, std::move(clock), {}, false, {}, 0, {}}),
      background_(std::move(background)) {}

void Comparer::compute(Shared& shared) {
  const double began = shared.clock();
  auto html = comparison_html(shared.store);
  const double ended = shared.clock();
  // Computed without the lock: a page that asks meanwhile gets the last result at once.
  const std::lock_guard lock(shared.mutex);
  shared.running = false;
  shared.not_before = ended + pause_factor * (ended - began);
  ++shared.current.version;
  shared.current.html = std::move(html);
}

Comparer::Current Comparer::current(const std::optional<std::string>& mark) {
  std::unique_lock lock(shared_->mutex);
  const bool stale = shared_->current.version == 0 || !mark || shared_->mark != mark;
  if (stale && !shared_->running && shared_->clock() >= shared_->not_before) {
    shared_->running = true;
    shared_->mark = mark;  // taken before the store is read: a commit meanwhile makes the result stale
    // A background that runs at once would wait for this lock for ever.
    lock.unlock();
    try {
      background_([shared = shared_] { compute(*shared); });  // holds the state: this object may go first
    } catch (...) {
      lock.lock();
      shared_->running = false;  // else nothing would ever be computed again
      shared_->mark.reset();
      throw;
    }
    lock.lock();
  }
  return shared_->current;
}

}  // namespace ridgeline::serve
