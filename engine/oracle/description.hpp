// Describes a task file: the inputs that it takes, the state that it keeps and the outputs that it returns,
// with literal shapes. That is enough to make a Task of it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/dtype.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::oracle {

// Provenance says how get_inputs made a tensor, if the operators that ran leave no doubt; values are not
// looked at. Elements are then independent of each other and of every other input. A tensor that may be part
// of a draw, a mixture of two draws, or the same in each draw is Opaque.

/// Made by torch.rand, perhaps moved and stretched by plain numbers. Rounding may reach either bound.
struct Uniform {
  double low = 0, high = 1;
  bool operator==(const Uniform&) const = default;
};
/// Made by torch.randn and the same arithmetic.
struct Normal {
  double mean = 0, std = 1;
  bool operator==(const Normal&) const = default;
};
/// Made by torch.randint, in an integer dtype: low <= value < high.
struct Integers {
  std::int64_t low = 0, high = 0;
  bool operator==(const Integers&) const = default;
};
/// Made by torch.zeros, ones or full. May be infinite or NaN, which does not equal itself.
struct Constant {
  double value = 0;
  bool operator==(const Constant&) const = default;
};
/// Made in a way that only the file's own code can repeat.
struct Opaque {
  bool operator==(const Opaque&) const = default;
};
using Provenance = std::variant<Opaque, Uniform, Normal, Integers, Constant>;

/// A tensor of a task file.
struct TensorFact {
  std::string name;  ///< forward's parameter for an input, the dotted path in the model for state
  DType dtype = DType::float32;
  std::vector<std::int64_t> shape;
  Provenance provenance = Opaque{};  ///< meaningful for inputs alone
};
/// Returns the bytes of the tensor in its own dtype.
std::uint64_t byte_count(const TensorFact& tensor);

/// A parameter, buffer or plain tensor of the model.
struct StateTensor {
  StateKind kind = StateKind::parameter;
  TensorFact tensor;
};

/// An argument of forward that is no tensor.
struct PlainInput {
  std::string name;
  std::string value;  ///< as JSON
};
using Input = std::variant<TensorFact, PlainInput>;

/// Bytes that a task takes in the file's own precision.
struct TaskBytes {
  std::uint64_t state = 0;
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
  std::uint64_t forward = 0;  ///< the most that operators of one forward hold at once, outputs included
};

/// A task file, as the oracle describes it.
struct Description {
  /// The constructor's positional arguments: a JSON array, with {"tuple": […]} for a tuple, {"tensor": facts}
  /// for a tensor.
  std::string init_arguments;
  std::string init_named;  ///< its named arguments: a JSON object
  std::vector<StateTensor> state;
  std::vector<Input> inputs;  ///< in the order of forward's parameters
  std::vector<TensorFact> outputs;
  bool training = true;  ///< the mode that the constructor leaves the model in, and forward runs in
  TaskBytes bytes;
  /// Operations of one forward by torch's FlopCounterMode, which counts multiplications and additions of
  /// matrix products, convolutions and attention, plus one for each element of the outputs.
  std::uint64_t operations = 0;
  /// Terms of the longest sum that one operator of forward adds up for an element, as far as its operators
  /// are known; 1 if none adds up.
  std::uint64_t longest_sum = 1;
  /// Terms of such sums of all operators of forward together, as if each worked on what the one before gave.
  std::uint64_t all_sums = 1;
  bool ran = false;  ///< whether the task was run; else it was described by shapes alone, without its memory
  std::uint64_t available = 0;  ///< bytes that tensors may take on the oracle's device now
};

/// Reads a reply of the oracle. Throws nlohmann's exceptions or Error: not for text from elsewhere.
void from_json(const nlohmann::json& in, Description& out);

/// Returns the tensors among the inputs, in order: a draw writes these.
std::vector<TensorFact> tensors_of(const std::vector<Input>& inputs);

}  // namespace ridgeline::oracle
