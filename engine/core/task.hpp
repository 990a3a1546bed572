// A task says what a kernel must compute, on which shapes, and what counts as right. It is data, sent whole
// to the worker; benchmark_tasks/ reads it from YAML, engine/suites/kernelbench makes it from a suite's file.
// The reference is TorchScript text that the judge compiles with LibTorch: `def
// reference(...)` takes, in the order of `parameters`, every tensor of role in or inout and every scalar, and
// returns the outputs (role out and inout, in the order of `parameters`) as a tensor or a tuple; a `choice`
// changes both (Choice). It must not name a floating dtype, so that it can run in float64 as the oracle. If
// the task has a `module`, the reference is Python text that the oracle process runs.
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
  reference           ///< by the reference's own code; only in tasks with a `module`
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

/// How an input is drawn.
struct Distribution {
  Draw draw = Draw::normal;
  Expression low = Expression::parse("0");  ///< expressions, so that an index input may range over a size
  Expression high = Expression::parse("1");
  bool outliers = true;  ///< false if ×50 leaves the operator's domain (indices, probabilities, variances)
};

/// How a module holds a tensor of its state.
enum class StateKind {
  parameter,
  buffer,    ///< persistent or not
  attribute  ///< a plain tensor of the module: in no state_dict, though forward may need it
};
constexpr auto enum_names(StateKind) {
  return std::to_array<Name<StateKind>>({{StateKind::parameter, "parameter"},
                                         {StateKind::buffer, "buffer"},
                                         {StateKind::attribute, "attribute"}});
}

/// A tensor that a kernel is given, or a module's state.
struct Tensor {
  std::string name;
  DType dtype = DType::float32;
  Role role = Role::in;
  std::vector<Expression> shape;  ///< its capacity, for an output whose size depends on the data
  Distribution input;             ///< unused for role out
  std::string count;  ///< name of the int64 out tensor [1] that says how many rows were written; "" if fixed
  /// Dotted name in the module whose state this is: drawn once for a task, the same in every call. "" for
  /// other tensors.
  std::string state = {};
  StateKind state_kind = StateKind::parameter;  ///< used if `state` is not ""
};

enum class ScalarType { int64, float64, boolean };
constexpr auto enum_names(ScalarType) {
  return std::to_array<Name<ScalarType>>(
      {{ScalarType::int64, "int64"}, {ScalarType::float64, "float64"}, {ScalarType::boolean, "bool"}});
}

/// A scalar that a kernel is given by value.
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
  bool hidden = false;  ///< gates, but models hear of a failure only as "an unseen case"
  bool final = false;   ///< run for reports alone; never gates, never shown to models
  std::string backend;  ///< "cpu" or "cuda" if its size suits that backend alone; "" for all of them
};

/// A case's scalars as calls take them: float64 apart from the others, both in the order of the parameters.
struct ScalarValues {
  std::vector<double> floats;
  std::vector<std::int64_t> integers;  ///< bool as 0 and 1
};

// Contracts: what "right" means. A task has one of them.

/// Each element within a tolerance derived from dtype, reduction length and the reference's own error.
struct Elementwise {
  Expression reduction = Expression::parse("1");  ///< longest chain of dependent additions per element
  double slack = 1;                      ///< multiplies the derived tolerance; a reason belongs in `notes`
  bool lower_precision_allowed = false;  ///< else a result computed one precision lower must fail
  /// The largest intermediate value of an honest formula: where it cancels, its rounding shows in the result.
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

/// A random task: the outputs' distribution against that of the reference's draws, and whether elements and
/// calls depend on each other.
struct Statistical {
  /// The chance of each test to refuse an honest output; so small, since a verdict takes thousands
  /// (engine/verifier/streams.hpp).
  double p_value = 1e-14;
};

/// A factorization: columns may differ by sign (or unit phase), and the product must rebuild the input.
struct UpToSign {
  Expression reduction = Expression::parse("1");
  int axis = -1;  ///< the axis along which one sign is shared is all but this one: -1 means columns
  std::vector<std::string> factors;  ///< outputs whose signs are free; empty: those of the highest rank
};

/// Right is what the check finds right: for outputs that many answers may have (eigenvectors, pivots). The
/// task has no tensor of role inout.
struct ByCheck {
  /// TorchScript text that defines `check`. It takes every tensor and scalar in the order of `parameters`,
  /// outputs included; floating ones in float64, complex ones in complex128. Last comes `eps: float`, the
  /// unit roundoff of the coarsest floating output, or input if there is none. A kernel may have left any
  /// number in its outputs, so indices are brought into range before they are used. It returns a tensor or a
  /// tuple of tensors: errors over what is allowed. Every element must be at most 1.
  std::string check;
  std::vector<std::string> names;  ///< of the returned tensors, for messages: "residual"
};

using Contract = std::variant<Elementwise, Exact, Quantized, Statistical, UpToSign, ByCheck>;

/// Outputs that leave a choice to the kernel, such as the mask of a dropout. They are judged by a contract of
/// their own. The other outputs must be what the task's reference computes from the inputs and this choice:
/// the reference takes the chosen outputs too, in the order of `parameters`, and returns the others.
struct Choice {
  std::vector<std::string> outputs;  ///< names of tensors of role out, without a count
  /// TorchScript text that defines `choose`: it takes the in and inout tensors and the scalars, and returns
  /// an honest choice, in the order of `parameters`.
  std::string choose;
  std::variant<Statistical, ByCheck> contract = Statistical{};
};

/// A reference in KernelBench's form of a file: the text defines a class Model of torch.nn, get_init_inputs
/// and get_inputs. Its forward takes the task's tensors of role in without `state`, and the scalars, in
/// order.
struct Module {
  std::string file;            ///< its name in messages: "level1/23_Softmax"
  std::string init_arguments;  ///< the constructor's positional arguments: a JSON array
  std::string init_named;      ///< its named arguments: a JSON object
  bool training = true;        ///< the mode that forward runs in
  /// The function that answers define in place of a class, in a file that was made of a function; "" else.
  std::string function = {};
  /// Text of a class Model whose forward calls `_ridgeline_entry`, an answer's function, in each case of the
  /// task. A part of the reference's text too. "" if `function` is.
  std::string adapter = {};
  /// The dtype in which the task is posed: parameters, buffers and floating inputs are cast to it, as
  /// KernelBench's evaluator does for a precision. Empty: as the file has them.
  std::optional<DType> cast_to = {};
  /// "1/4 (batch_size 4096 to 1024)" if numbers of the file were made smaller, which `reference` shows; else
  /// "".
  std::string scale = {};
};

struct Task {
  std::string name;      ///< C identifier; the kernel is `kernel_<name>`
  std::string category;  ///< one of KernelBench-X's fifteen; its suite's own ("level1") for a module
  int difficulty = 1;    ///< 1 to 5
  std::string description;
  std::string formula;
  std::vector<std::string> sizes;  ///< the symbols, in the order the kernel takes them
  std::vector<Parameter> parameters;
  std::vector<Case> cases;
  std::string reference;  ///< TorchScript text, or the text of a module's file
  Contract contract = Elementwise{};
  bool deterministic = false;  ///< true: run-to-run differences are a failure, not a fact
  Expression operations;       ///< arithmetic operations of one call
  Expression bytes;   ///< compulsory traffic of one call: each input read once, each output written once
  std::string notes;  ///< shown in reports, not to models
  Hash hash;          ///< over all of the task
  std::optional<Module> module = {};
  std::optional<Choice> choice = {};

  /// Return pointers into `parameters`, in its order.
  std::vector<const Tensor*> tensors() const;
  std::vector<const Scalar*> scalars() const;
  /// Evaluates the scalars for a case. Throws BadInput like Expression::evaluate.
  ScalarValues scalar_values(const Case& task_case) const;
  /// Returns null if no case has that name.
  const Case* find_case(const std::string& case_name) const;
};

/// Returns the backend that a candidate in `language` is judged on: the first of the language's backends that
/// a case names, or simply its first.
std::string_view backend_of(const Task& task, Language language);

/// Returns the form in which a candidate in `language` answers the task: a module if the reference is one and
/// the language can, else a kernel. Empty if it can do neither.
std::optional<Form> answer_form(const Task& task, Language language);

/// Returns the task as one backend ("cpu", "cuda") sees it: without the cases of the others, and so with a
/// hash of its own.
Task on_backend(Task task, std::string_view backend);

/// Returns the task for a candidate that is to be judged on `backend`. If no case names the backend, all
/// cases are marked for it.
Task for_language(Task task, Language language, std::string_view backend);

/// Returns the elements of `tensor` under `sizes` (a complex number counts once).
std::int64_t element_count(const Tensor& tensor, const Symbols& sizes);
std::vector<std::int64_t> shape_of(const Tensor& tensor, const Symbols& sizes);
/// Returns the bytes of `tensor` under `sizes`.
std::size_t byte_count(const Tensor& tensor, const Symbols& sizes);

/// Returns the bytes of a module's weights and buffers.
std::size_t state_bytes(const Task& task);

/// Computes the value of `Task::hash`. It does not depend on how the file was formatted.
Hash hash_of(const Task& task);

/// Returns how a module's task is posed, if not as its file has it: "bfloat16", "scale 1/4 (batch_size 4096
/// to 1024)", or both with a comma; else "".
std::string posed_text(const Task& task);

/// Whether an answer of form `module` is a function in place of a class (Module::function).
inline bool answers_with_function(const Task& task) {
  return task.module && !task.module->function.empty();
}

}  // namespace ridgeline
