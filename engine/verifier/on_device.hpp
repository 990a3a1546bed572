// Tensors on a GPU, judged where they lie: what this room's loops do on the CPU, said in operators of torch.
//
// A candidate's outputs of tens of megabytes take longer to bring back than to compare there. So what passes
// is judged on the device and only its figures come back; what does not is brought to the CPU, where it is
// told what is wrong and where. Both say the same of the same numbers (tests hold them against each other, on
// the CPU, where operators run too).
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "engine/core/task.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {

/// Whether inputs, expectations and outputs of `task` may stay on the device. Contracts of statistics and of
/// signs, and complex numbers, are judged on the CPU alone.
bool judged_on_device(const Task& task);

/// `inputs` where `reference` wants them: on its device, if the task is judged there.
std::vector<at::Tensor> placed(const Reference& reference, const Task& task,
                               const std::vector<at::Tensor>& inputs);

std::vector<at::Tensor> to_cpu(const std::vector<at::Tensor>& tensors);
Expected to_cpu(const Expected& expected);

/// Elements that are worked off together, where a tensor is large: bounds what that takes.
inline constexpr std::int64_t kPieceElements = std::int64_t{1} << 25;

/// How far the oracle's outputs moved under each perturbation, folded as they come: large ones are not kept.
class Responses {
 public:
  /// From `many` elements on distances are kept in float32.
  explicit Responses(const at::Tensor& oracle, std::int64_t many = std::int64_t{1} << 27);

  /// The output of perturbation `number`, from 0 on: 1 is the one at second_step.
  void add(const at::Tensor& draw, std::size_t number);

  /// The largest distance at first_step, infinite where the first was; and that at second_step. In float32 of
  /// many elements.
  const at::Tensor& first() const { return first_; }
  const at::Tensor& second() const { return second_; }
  /// Over all elements; infinite where a distance was not finite.
  double largest_first() const { return largest_first_; }
  double largest_second() const { return largest_second_; }

 private:
  at::Tensor oracle_, first_, second_;
  std::int64_t many_;
  double largest_first_ = 0, largest_second_ = 0;
};

/// derive_tolerance (tolerance.hpp) of real tensors of one shape; in the dtype that `responses` has. `most`:
/// elements looked at together.
struct Tolerances {
  at::Tensor tolerance, scale;
};
Tolerances derive_tolerance(const Precision& precision, const at::Tensor& oracle, const at::Tensor& own,
                            const Responses& responses, std::int64_t most = kPieceElements);

/// What is brought to the CPU to say what is wrong with outputs that `passes` refused: all of them, but of
/// large ones only the rows along their first axis from the first wrong element on, some `most` elements. The
/// task's shapes are those of what is brought.
struct Brought {
  Task task;
  Expected expected;
  std::vector<at::Tensor> got;
  std::string told;  ///< "rows 5 to 9 of 'y'" where it is not all; "" else
};
Brought bring(const Task& task, const Expected& expected, const std::vector<at::Tensor>& got,
              std::int64_t most = std::int64_t{1} << 20);

/// The figures of outputs that are all right; empty where one element is not, or a tie must be weighed.
std::optional<Comparison> passes(const Task& task, const Case& one, InputSet set, const Expected& expected,
                                 const std::vector<at::Tensor>& got);

}  // namespace ridgeline::verifier
