// A task: what a kernel must compute, on which shapes, and what counts as right. Data, never code of ours.
//
// Read from YAML by benchmark_tasks/, or made from a suite's own file (engine/suites/kernelbench), and sent
// whole to the worker. The reference is TorchScript text that the judge compiles with LibTorch: `def
// reference(...)` takes, in the order of `parameters`, every tensor of role in or inout and every scalar, and
// returns the outputs (role out and inout, in the order of `parameters`) as a tensor or a tuple. It must not
// name a floating dtype, so that it can run in float64 as the oracle. Of a task with `module` it is Python
// text that an oracle process runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/dtype.hpp"
#include "engine/core/expression.hpp"
#include "engine/core/hash.hpp"

namespace ridgeline {

enum class Role { in, out, inout };
constexpr auto enum_names(Role) {
  return std::to_array<Name<Role>>({{Role::in, "in"}, {Role::out, "out"}, {Role::inout, "inout"}});
}

/// How the values of an input are drawn in the `standard` distribution; `outlier` and `edge` derive from it.
enum class Draw {
  normal,             ///< mean `low`, standard deviation `high`
  uniform,            ///< [low, high); for integers low..high-1
  constant,           ///< every element `low`
  sorted,             ///< uniform, ascending along the last axis
  permutation,        ///< along the last axis: a random permutation of 0..n-1
  probabilities,      ///< positive, rows along the last axis sum to one
  positive_definite,  ///< last two axes: A Aᵀ / n + I, symmetric positive definite
  symmetric,          ///< last two axes: (A + Aᵀ) / 2
  well_conditioned,   ///< last two axes: random orthogonal times a diagonal in [0.5, 2]
  bernoulli,          ///< 1 with probability `high`, else 0
  reference           ///< by the reference's own code, where the task is a `module`
};
constexpr auto enum_names(Draw) {
  return std::to_array<Name<Draw>>({{Draw::normal, "normal"},
                                    {Draw::uniform, "uniform"},
                                    {Draw::constant, "constant"},
                                    {Draw::sorted, "sorted"},
                                    {Draw::permutation, "permutation"},
                                    {Draw::probabilities, "probabilities"},
                                    {Draw::positive_definite, "positive_definite"},
                                    {Draw::symmetric, "symmetric"},
                                    {Draw::well_conditioned, "well_conditioned"},
                                    {Draw::bernoulli, "bernoulli"},
                                    {Draw::reference, "reference"}});
}

struct Distribution {
  Draw draw = Draw::normal;
  Expression low = Expression::parse("0");  ///< expressions, so that an index input may range over a size
  Expression high = Expression::parse("1");
  bool outliers = true;  ///< false where ×50 leaves the operator's domain (indices, probabilities, variances)
};

/// What a tensor is to the module that it belongs to.
enum class StateKind {
  parameter,
  buffer,    ///< persistent or not
  attribute  ///< a plain tensor that a module holds: in no state_dict, and forward may need it all the same
};
constexpr auto enum_names(StateKind) {
  return std::to_array<Name<StateKind>>({{StateKind::parameter, "parameter"},
                                         {StateKind::buffer, "buffer"},
                                         {StateKind::attribute, "attribute"}});
}

struct Tensor {
  std::string name;
  DType dtype = DType::float32;
  Role role = Role::in;
  std::vector<Expression> shape;  ///< of an output whose size depends on the data: its capacity
  Distribution input;             ///< unused for role out
  std::string count;  ///< name of the int64 out tensor [1] that says how many rows were written; "" if fixed
  /// Dotted name in the module whose state this is: drawn once a task, the same in every call. "" for all
  /// else.
  std::string state = {};
  StateKind state_kind = StateKind::parameter;  ///< where `state` is named
};

enum class ScalarType { int64, float64, boolean };
constexpr auto enum_names(ScalarType) {
  return std::to_array<Name<ScalarType>>(
      {{ScalarType::int64, "int64"}, {ScalarType::float64, "float64"}, {ScalarType::boolean, "bool"}});
}

struct Scalar {
  std::string name;
  ScalarType type = ScalarType::float64;
  Expression value;  ///< may use the case's sizes; a bool is 0 or 1
};

using Parameter = std::variant<Tensor, Scalar>;

/// One instance of the task's symbols.
struct Case {
  std::string name;
  Symbols sizes;
  bool timed = false;   ///< enters the speed-up
  bool hidden = false;  ///< gates, but a failure is told to models only as "an unseen case"
  bool final = false;   ///< run for reports alone; never gates, never shown to models
  std::string backend;  ///< "cpu" or "cuda": an instance of a size for that machine alone; "": for every one
};

/// A case's scalars as calls take them: float64 apart from all others, each in the order of the parameters.
struct ScalarValues {
  std::vector<double> floats;
  std::vector<std::int64_t> integers;  ///< bool as 0 and 1
};

// What "right" means. One of these a task.

/// Each element within a tolerance derived from dtype, reduction length and the reference's own error.
struct Elementwise {
  Expression reduction = Expression::parse("1");  ///< longest chain of dependent additions per element
  double slack = 1;                      ///< multiplies the derived tolerance; a reason belongs in `notes`
  bool lower_precision_allowed = false;  ///< else a result computed one precision lower must fail
  /// The largest intermediate value whose rounding an honest formula shows wherever it cancels.
  double intermediate = 0;
};

/// Bit-equal: integers, bools, indices, pure moves.
struct Exact {};

/// The quantized computation itself is the oracle; the unquantized one must fail.
struct Quantized {
  Expression reduction = Expression::parse("1");
  double step_fraction =
      0.02;                 ///< share of elements that may differ by one rounding tie of the output's step
  std::string unquantized;  ///< TorchScript text, same arguments, without quantization: the distance to it is
                            ///< reported
};

/// A random task: moments and a Kolmogorov-Smirnov distance against the reference's distribution.
struct Statistical {
  double p_value = 1e-6;  ///< of each test; small, since many tests run
};

/// A factorization: columns may differ by sign (or unit phase), and the product must rebuild the input.
struct UpToSign {
  Expression reduction = Expression::parse("1");
  int axis = -1;  ///< the axis along which one sign is shared is all but this one: -1 means columns
};

using Contract = std::variant<Elementwise, Exact, Quantized, Statistical, UpToSign>;

/// A reference that is a class of torch.nn in KernelBench's form of a file: the text defines Model,
/// get_init_inputs and get_inputs. Its forward takes the task's tensors of role in without `state`, and the
/// scalars, in order.
struct Module {
  std::string file;            ///< what messages call it: "level1/23_Softmax"
  std::string init_arguments;  ///< of the constructor, positional: a JSON array
  std::string init_named;      ///< by name: a JSON object
  bool training = true;        ///< the mode that forward runs in
};

struct Task {
  std::string name;      ///< C identifier; the kernel is `kernel_<name>`
  std::string category;  ///< one of KernelBench-X's fifteen; of a module, its suite's own ("level1")
  int difficulty = 1;    ///< 1 to 5
  std::string description;
  std::string formula;
  std::vector<std::string> sizes;  ///< the symbols, in the order the kernel takes them
  std::vector<Parameter> parameters;
  std::vector<Case> cases;
  std::string reference;  ///< TorchScript text; of a module, its file's text
  Contract contract = Elementwise{};
  bool deterministic = false;  ///< true: run-to-run differences are a failure, not a fact
  Expression operations;       ///< arithmetic operations of one call
  Expression bytes;   ///< compulsory traffic of one call: each input read once, each output written once
  std::string notes;  ///< shown in reports, not to models
  Hash hash;          ///< over all of the task
  std::optional<Module> module = {};

  std::vector<const Tensor*> tensors() const;
  std::vector<const Scalar*> scalars() const;
  /// Evaluates the scalars for a case.
  ScalarValues scalar_values(const Case& one) const;
  const Case* find_case(const std::string& case_name) const;
};

/// The backend that a candidate in `language` is judged on. A language that runs on several is judged where
/// the task's cases are for one of them: the first of the language's that a case names, or simply its first.
std::string_view backend_of(const Task& task, Language language);

/// How a candidate in `language` answers the task: as a module where the reference is one and the language
/// can, else as a kernel. Empty where it can do neither.
std::optional<Form> answer_form(const Task& task, Language language);

/// The task as one backend ("cpu", "cuda") sees it: without the cases of the others, and so with its own
/// hash.
Task on_backend(Task task, std::string_view backend);

/// The same, for a candidate that shall be judged there: where no case names the backend, all of them do.
Task for_language(Task task, Language language, std::string_view backend);

/// Elements of `tensor` under `sizes` (complex counts once).
std::int64_t element_count(const Tensor& tensor, const Symbols& sizes);
std::vector<std::int64_t> shape_of(const Tensor& tensor, const Symbols& sizes);
/// Bytes of `tensor` under `sizes`.
std::size_t byte_count(const Tensor& tensor, const Symbols& sizes);

/// Bytes of a module's weights and buffers.
std::size_t state_bytes(const Task& task);

/// The hash that `Task::hash` must hold; stable over formatting of the file it came from.
Hash hash_of(const Task& task);

}  // namespace ridgeline
