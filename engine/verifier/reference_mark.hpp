// Marks a call of a script's reference for a thread beside it: a loop that does not end, or an operator that
// takes hours, cannot be stopped from within the process, and whoever judges must not wait for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace ridgeline::verifier {

/// Two atomic writes a call, since baselines are timed through it. Both texts outlive it. Where several
/// threads run references at once, one of them is marked.
class ReferenceMark {
 public:
  ReferenceMark(const std::string& task, const std::string& one_case);
  ~ReferenceMark();
  ReferenceMark(const ReferenceMark&) = delete;  // it stands for one call
  ReferenceMark& operator=(const ReferenceMark&) = delete;

 private:
  bool marked_;
};

/// The number of the call that is going on, another one each time; 0 for none.
std::uint64_t marked_reference();

/// If that call still goes on, tells what it is, and never lets it return: `end` must end the process.
void hold_reference(std::uint64_t number,
                    const std::function<void(const std::string& task, const std::string& one_case)>& end);

}  // namespace ridgeline::verifier
