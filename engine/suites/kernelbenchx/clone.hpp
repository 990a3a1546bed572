// Finds and reads the task files and the metadata in a clone of BonnieW05/KernelBenchX. Reads without Python,
// runs nothing, and never changes a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/suites/kernelbenchx/entry.hpp"

namespace ridgeline::suites::kernelbenchx {

/// The gates of a quantized task: each tensor of the test's results must meet all three.
struct QuantizationGates {
  double cosine = 0;       ///< at least
  double relative_l1 = 0;  ///< at most: sum |a - b| over sum |b|
  double rmse = 0;         ///< at most, absolute
  bool operator==(const QuantizationGates&) const = default;
};

/// The formats of a quantized task, as its authors name them ("int8"), and its gates.
struct Quantization {
  std::string weight, activation, compute, output;
  QuantizationGates gates;
  bool operator==(const Quantization&) const = default;
};

/// What the metadata says of a task. Texts are "" where an entry lacks them. Their `example` and `torch_code`
/// may hold the solution: no model is shown these.
struct Metadata {
  std::string name;       ///< "torch.div", or the name of the reference's function
  std::string signature;  ///< func_inputs: the signature and its arguments in prose
  std::string description;
  std::string math, example, torch_code, other;
  int difficulty = 0;                        ///< 1 to 5
  int operators = 0;                         ///< torch_cnt: operators of torch that the reference calls
  int arguments = 0;                         ///< params_cnt
  std::string dtype;                         ///< "torch.bfloat16" for a task of one precision, else ""
  std::optional<Quantization> quantization;  ///< of the tasks with quantization_spec
};

/// A task: one file <Category>/<name>.py.
struct TaskFile {
  std::string file;              ///< "Activation/gelu.py", its key in the metadata and in submissions
  std::string category;          ///< "Activation"
  std::string name;              ///< the file's stem: "gelu"
  std::filesystem::path path;    ///< where it lies
  Parts parts;                   ///< its text
  std::string entry;             ///< the callable that its test calls; "" if the text does not say which
  std::optional<Metadata> meta;  ///< none for a file outside the metadata, which no submission can pass

  std::string full_name() const { return category + "/" + name; }   ///< "Activation/gelu"
  std::string identifier() const { return category + "_" + name; }  ///< "Activation_gelu"
};

/// An opened clone. Everything is read: some 200 files of a few KB.
struct Clone {
  std::filesystem::path root;   ///< the repository: holds data/, utils/, EVAL/ and metrics/
  std::vector<TaskFile> tasks;  ///< those of the metadata in its order, then those outside it by name
};

/// Reads the clone at `folder`, or the one whose folder `data` that is. Throws BadInput that says how to fix
/// it: no such folder, no metadata, metadata that cannot be read, a file that it names and that is missing, a
/// file without exactly one separator.
Clone open_clone(const std::filesystem::path& folder);

/// Returns the files that `names` mean, in the clone's order; all if there are no names. A name is
/// "Activation/gelu", "Activation/gelu.py", "gelu" or a glob of one of these. Throws BadInput with the
/// nearest name.
std::vector<TaskFile> select(const Clone& clone, const std::vector<std::string>& names);

}  // namespace ridgeline::suites::kernelbenchx
