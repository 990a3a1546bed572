// Marks a call of a reference, so that another thread can end it: a loop that never ends, or an operator
// that takes hours, cannot be stopped from within the process, and the judge must not wait for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ridgeline::verifier {

/// Marks the call that runs during its lifetime. Costs two atomic writes, since baselines are timed with it.
/// Both texts must outlive it. Where several threads run references at once, only the first is marked.
class ReferenceMark {
 public:
  ReferenceMark(const std::string& task, const std::string& task_case);
  ~ReferenceMark();
  ReferenceMark(const ReferenceMark&) = delete;  // it stands for one call
  ReferenceMark& operator=(const ReferenceMark&) = delete;

 private:
  bool marked_;
};

/// Returns the number of the marked call in progress, different for each call; 0 if there is none. Any
/// thread.
std::uint64_t marked_reference();

/// Ends the marked call `number` if it is still in progress: calls `end` with its task and case, and never
/// lets the call return. `end` must end the process.
void hold_reference(std::uint64_t number,
                    const std::function<void(const std::string& task, const std::string& task_case)>& end);

}  // namespace ridgeline::verifier
