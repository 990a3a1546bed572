// Calls a candidate on one case's inputs: buffers, orders, limits, what was seen afterwards, and how a call
// ended. It compares nothing. One thread.
//
// Of a case that needs streaming, calls and expectations want all of the memory in turn. Then buffers are
// made for a call alone, and given back before anything is derived.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/correctness/correctness.hpp"
#include "engine/worker/judge/correctness/correctness_record.hpp"
#include "engine/worker/judge/runners/call_allowance.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// The result of one call.
struct CallResult {
  std::optional<std::vector<at::Tensor>> outputs;  ///< empty if the call failed or the runner ended
  Reason reason = Reason::none;                    ///< what the buffers show of a call that ended well
  std::string detail;
};

class CandidateCalls {
 public:
  /// All must outlive it. `record` is told of every call that fails.
  CandidateCalls(PreparedTask& prepared, RunnerProcess& runner, const CorrectnessSettings& settings,
                 CorrectnessRecord& record);

  /// Begins a case, and makes and maps its buffers unless it needs streaming. False: the runner is over.
  bool begin(PreparedCase& task_case);
  /// Whether the present case needs streaming.
  bool streaming() const { return streaming_; }

  /// Calls on buffers that are mapped. `inputs` must live until it returns.
  CallResult call(const std::vector<at::Tensor>& inputs);
  /// Makes and maps buffers for this call, and leaves them mapped.
  CallResult call_alone(const std::vector<at::Tensor>& inputs);
  /// Makes the present case's buffers, and has the runner map them.
  bool map();
  /// Gives back what calls take: the runner's memory and the buffers. If the runner ends here, the next call
  /// reports it.
  void free();
  /// Has the next call write everything anew.
  void discard_fillings();
  /// Has the last call made once more, and returns the torch operators that it computed by, in words: empty
  /// where the runner is over, or cannot observe and `verdict` notes why.
  std::optional<std::string> observe(Verdict& verdict);

  /// How the runner ended, if it did.
  const std::optional<RunnerExit>& ended() const { return ended_; }
  /// Whether it ended or refused an order.
  bool over() const { return ended_ || refused_; }
  /// Lets it be called again after an order that it refused.
  void forgive() { refused_ = false; }
  /// Whether a call failed in a case that is not final.
  bool failed_where_it_counts() const { return failed_where_it_counts_; }

 private:
  bool succeeded(const RunnerAnswer& answer, double limit);

  PreparedTask& prepared_;
  const Task& task_;
  DeviceMemory& memory_;
  RunnerProcess& runner_;
  const CorrectnessSettings& settings_;
  CorrectnessRecord& record_;
  CallAllowance allowance_;
  PreparedCase* case_ = nullptr;
  std::unique_ptr<Arena> arena_;
  std::size_t slots_ = 0, next_slot_ = 0;
  bool streaming_ = false;
  std::optional<RunnerExit> ended_;
  bool refused_ = false, failed_where_it_counts_ = false;
};

}  // namespace ridgeline::judge
