#include "engine/worker/judge/module_reference.hpp"

#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/worker/judge/memory_file.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kOracleLoadLimit = 300;  // seconds: the oracle's start among it
constexpr double kOracleRunLimit = 300;
constexpr std::size_t kAlignment = 64;

/// Tensors one after another in one memory file.
class Packed {
 public:
  /// Adds a tensor of these bytes; returns its number.
  void add(std::size_t bytes) {
    places_.push_back({0, end_, bytes});
    end_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  void allocate() { file_.emplace(std::max<std::size_t>(end_, 1)); }
  std::byte* data(std::size_t number) const { return file_->data() + places_[number].offset; }
  oracle::TensorMemory memory() const { return {{file_->descriptor()}, places_}; }

 private:
  std::vector<oracle::Place> places_;
  std::uint64_t end_ = 0;
  std::optional<MemoryFile> file_;
};

template <class T>
T demand(oracle::Answer<T> answer, const Task& task) {
  if (auto* good = std::get_if<T>(&answer)) return std::move(*good);
  const auto& failure = std::get<oracle::OracleFailure>(answer);
  const auto text = fmt::format(
      "task '{}': its reference {}: {}", task.name,
      failure.kind == oracle::FailureKind::memory ? "needs more memory than there is" : "does not run",
      failure.message);
  if (failure.kind == oracle::FailureKind::memory) throw MachineCannot(text);
  throw BadInput(text);
}

at::ScalarType in_precision(DType dtype, bool wide) {
  if (wide && is_floating(dtype)) return at::kDouble;
  if (wide && is_complex(dtype)) return at::kComplexDouble;
  return verifier::scalar_type(dtype);
}

at::Tensor copy_of(const std::byte* data, at::ScalarType type, const std::vector<std::int64_t>& shape) {
  auto tensor = at::empty(shape, at::TensorOptions().dtype(type));
  std::memcpy(tensor.data_ptr(), data, tensor.nbytes());
  return tensor;
}

}  // namespace

ModuleReference::ModuleReference(Task task, std::uint64_t weights_seed, std::shared_ptr<SharedOracle> oracle)
    : task_(std::move(task)),
      weights_seed_(weights_seed),
      oracle_(std::move(oracle)),
      number_(++oracle_->references) {}

void ModuleReference::load() const {
  if (oracle_->loaded == number_ && oracle_->process.loaded()) return;
  oracle_->loaded = 0;
  const auto& sizes = task_.cases.front().sizes;
  std::vector<const Tensor*> states;
  Packed packed;
  for (const auto* tensor : verifier::arguments_of(task_)) {
    if (tensor->state.empty()) continue;
    states.push_back(tensor);
    packed.add(byte_count(*tensor, sizes));
  }
  packed.allocate();
  auto& process = oracle_->process;
  demand(
      process.load({task_.module->file, task_.reference}, weights_seed_, packed.memory(), kOracleLoadLimit),
      task_);
  demand(process.draw(0, {}, kOracleRunLimit), task_);  // runs take their structure from a draw
  oracle_->loaded = number_;
  state_.clear();
  for (std::size_t i = 0; i < states.size(); ++i)
    state_.push_back(
        copy_of(packed.data(i), verifier::scalar_type(states[i]->dtype), shape_of(*states[i], sizes)));
}

std::vector<at::Tensor> ModuleReference::run(const std::vector<at::Tensor>& args, const Case& one) const {
  load();
  bool wide = false;
  for (const auto& arg : args)
    wide = wide || arg.scalar_type() == at::kDouble || arg.scalar_type() == at::kComplexDouble;
  const auto outputs = verifier::outputs_of(task_);
  Packed packed;
  for (const auto& arg : args) packed.add(arg.nbytes());
  for (const auto* output : outputs)
    packed.add(static_cast<std::size_t>(element_count(*output, one.sizes)) *
               c10::elementSize(in_precision(output->dtype, wide)));
  packed.allocate();
  for (std::size_t i = 0; i < args.size(); ++i)
    std::memcpy(packed.data(i), args[i].const_data_ptr(), args[i].nbytes());
  oracle::RunRequest request;
  request.precision = wide ? oracle::Precision::float64 : oracle::Precision::float32;
  request.arguments = oracle::Arguments::given;
  demand(oracle_->process.run(request, packed.memory(), kOracleRunLimit), task_);
  std::vector<at::Tensor> results;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    results.push_back(copy_of(packed.data(args.size() + i), in_precision(outputs[i]->dtype, wide),
                              shape_of(*outputs[i], one.sizes)));
  return results;
}

std::vector<at::Tensor> ModuleReference::draw(std::uint64_t seed) const {
  load();
  const auto arguments = verifier::arguments_of(task_);
  const auto& sizes = task_.cases.front().sizes;
  Packed packed;
  bool any = false;
  for (const auto* tensor : arguments) {
    if (!tensor->state.empty()) continue;
    packed.add(byte_count(*tensor, sizes));
    any = any || tensor->input.draw == Draw::reference;
  }
  packed.allocate();
  if (any) demand(oracle_->process.draw(seed, packed.memory(), kOracleRunLimit), task_);
  std::vector<at::Tensor> drawn(arguments.size());
  std::size_t input = 0, state = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& tensor = *arguments[i];
    if (!tensor.state.empty())
      drawn[i] = state_.at(state++);
    else if (const auto number = input++; tensor.input.draw == Draw::reference)
      drawn[i] = copy_of(packed.data(number), verifier::scalar_type(tensor.dtype), shape_of(tensor, sizes));
  }
  return drawn;
}

}  // namespace ridgeline::judge
