#include "engine/worker/judge/tasks/module_reference.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/core/out_of_memory.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/perturb.hpp"
#include "engine/verifier/random.hpp"
#include "engine/worker/protocol/environment.hpp"
#include "profiler/metrics.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kOracleLoadLimit = 300;  // seconds, the oracle's start included
constexpr double kOracleRunLimit = 300;
// Arguments and outputs of so many bytes share memory: they are never wanted at once, and may be a third of
// what a card has.
constexpr std::size_t kSharedFrom = std::size_t{1} << 30;

template <class T>
T result_or_throw(oracle::OracleResult<T> answer, const Task& task) {
  if (auto* good = std::get_if<T>(&answer)) return std::move(*good);
  const auto& failure = std::get<oracle::OracleFailure>(answer);
  const auto text = fmt::format(
      "task '{}': its reference {}: {}", task.name,
      failure.kind == oracle::FailureKind::memory ? "needs more memory than there is" : "does not run",
      failure.message);
  if (failure.kind == oracle::FailureKind::memory) throw OutOfMemory(text);
  throw BadInput(text);
}

at::ScalarType in_precision(DType dtype, bool wide) {
  if (wide && is_floating(dtype)) return at::kDouble;
  if (wide && is_complex(dtype)) return at::kComplexDouble;
  return verifier::scalar_type(dtype);
}

/// Returns a tensor of the judge's own. What lies in a file is copied, since the oracle maps it too and
/// writes over it at the next request.
at::Tensor own_copy(const at::Tensor& shared, bool to_cpu) {
  if (shared.is_cpu()) return shared.clone();
  return to_cpu ? shared.cpu() : shared;
}

}  // namespace

std::shared_ptr<SharedOracle> make_oracle(const PythonProgram& python, const std::string& device,
                                          std::shared_ptr<Exchange> exchange) {
  oracle::OracleSettings settings;
  settings.python = python.program.string();
  settings.device = device;
  settings.threads = 1;
  settings.environment = protocol::inherited_environment(protocol::EnvironmentFor::judge);
  auto oracle = std::make_shared<SharedOracle>(SharedOracle{oracle::OracleProcess(std::move(settings))});
  oracle->exchange = std::move(exchange);
  return oracle;
}

ModuleReference::ModuleReference(Task task, oracle::Weights weights, std::shared_ptr<SharedOracle> oracle)
    : task_(std::move(task)),
      weights_(std::move(weights)),
      oracle_(std::move(oracle)),
      number_(++oracle_->references) {}

/// Returns the bytes of arguments that are no state.
std::size_t ModuleReference::drawn_bytes() const {
  std::size_t sum = 0;
  for (const auto* tensor : verifier::arguments_of(task_))
    if (tensor->state.empty()) sum += byte_count(*tensor, task_.cases.front().sizes);
  return sum;
}

void ModuleReference::load() const {
  if (oracle_->loaded == number_ && oracle_->process.loaded()) return;
  oracle_->loaded = 0;  // a load that throws leaves nothing loaded
  const auto& sizes = task_.cases.front().sizes;
  std::vector<const Tensor*> states;
  PackedTensors packed;
  for (const auto* tensor : verifier::arguments_of(task_)) {
    if (tensor->state.empty()) continue;
    states.push_back(tensor);
    packed.add(byte_count(*tensor, sizes));
  }
  packed.allocate(*oracle_->exchange);
  oracle_->exchange->settle(packed.bytes());
  auto& process = oracle_->process;
  result_or_throw(process.load({task_.module->file, task_.reference, task_.module->cast_to}, weights_,
                               packed.memory(), kOracleLoadLimit),
                  task_);
  result_or_throw(process.draw_shapes(drawn_bytes(), kOracleRunLimit), task_);
  oracle_->loaded = number_;
  // Copied now: every later request writes over the exchange.
  state_.clear();
  const bool to_cpu = !verifier::judged_on_device(task_);
  for (std::size_t i = 0; i < states.size(); ++i)
    state_.push_back(own_copy(
        packed.tensor(i, verifier::scalar_type(states[i]->dtype), shape_of(*states[i], sizes)), to_cpu));
}

template <class Fill>
std::vector<at::Tensor> ModuleReference::compute(bool wide, bool on_cpu, const Case& definition,
                                                 const Part& part, Fill&& fill) const {
  const profiler::ScopedMetric metric("oracle.run");
  load();
  const auto inputs = verifier::arguments_of(task_), outputs = verifier::outputs_of(task_);
  const auto shape = [&](const Tensor& declared, bool cut) {
    auto whole = shape_of(declared, definition.sizes);
    if (cut) whole.front() = part.rows.count;
    return whole;
  };
  const auto is_cut = [&](std::size_t i) { return part.rows.count > 0 && part.batched->at(i); };
  const auto bytes_of = [&](const Tensor& declared, bool cut) {
    std::size_t elements = 1;
    for (const auto extent : shape(declared, cut)) elements *= static_cast<std::size_t>(extent);
    return elements * c10::elementSize(in_precision(declared.dtype, wide));
  };
  PackedTensors given, wanted;
  for (std::size_t i = 0; i < inputs.size(); ++i) given.add(bytes_of(*inputs[i], is_cut(i)));
  for (const auto* output : outputs) wanted.add(bytes_of(*output, part.rows.count > 0));
  const bool shared = given.bytes() + wanted.bytes() >= kSharedFrom;
  if (shared) {
    given.allocate_with(wanted, *oracle_->exchange);
  } else {
    given.allocate(*oracle_->exchange);
    wanted.allocate(*oracle_->exchange);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    fill(i, given.tensor(i, in_precision(inputs[i]->dtype, wide), shape(*inputs[i], is_cut(i))));
  oracle_->exchange->settle(given.bytes() + wanted.bytes());
  oracle::RunRequest request;
  if (part.rows.count > 0) {
    request.rows = part.rows.count;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i]->state.empty()) request.batched.push_back(is_cut(i));
  }
  request.precision = wide ? oracle::Precision::float64 : oracle::Precision::float32;
  request.arguments = oracle::Arguments::given;
  const profiler::ScopedMetric computing("oracle.run.computes");
  const auto ran = oracle_->process.run(request, joined(given, wanted), kOracleRunLimit);
  if (oracle_->ran) oracle_->ran(oracle_->process.last_cost());
  result_or_throw(ran, task_);
  // A slab that is much larger than its outputs is not kept for them.
  const bool apart = shared && given.slab_bytes() > wanted.bytes() + kSharedFrom;
  std::vector<at::Tensor> results;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto result = own_copy(
        wanted.tensor(i, in_precision(outputs[i]->dtype, wide), shape(*outputs[i], part.rows.count > 0)),
        on_cpu);
    results.push_back(apart && !result.is_cpu() ? result.clone() : result);
  }
  return results;
}

std::vector<at::Tensor> ModuleReference::run(const std::vector<at::Tensor>& args,
                                             const Case& definition) const {
  bool wide = false;
  for (const auto& arg : args)
    wide = wide || arg.scalar_type() == at::kDouble || arg.scalar_type() == at::kComplexDouble;
  return compute(wide, args.empty() || args.front().is_cpu(), definition, {},
                 [&](std::size_t i, const at::Tensor& target) { target.copy_(args[i]); });
}

std::vector<at::Tensor> ModuleReference::run_perturbed(const std::vector<at::Tensor>& args,
                                                       const Case& definition, double step,
                                                       std::uint64_t seed) const {
  return compute(true, args.empty() || args.front().is_cpu(), definition, {},
                 [&](std::size_t i, const at::Tensor& target) {
                   verifier::widen_into(target, args[i], step, verifier::Random(seed, i + 1).bits(0));
                 });
}

std::vector<at::Tensor> ModuleReference::run_rows(const std::vector<at::Tensor>& args,
                                                  const std::vector<bool>& batched, verifier::Rows rows,
                                                  const Case& definition, double step, std::uint64_t seed,
                                                  bool widened) const {
  return compute(widened, args.empty() || args.front().is_cpu(), definition, {rows, &batched},
                 [&](std::size_t i, const at::Tensor& target) {
                   const auto from = batched[i] ? args[i].narrow(0, rows.begin, rows.count) : args[i];
                   const auto slice = batched[i] ? static_cast<std::uint64_t>(rows.begin) : 0;
                   verifier::widen_into(target, from, step, verifier::Random(seed, i + 1).bits(slice));
                 });
}

std::vector<at::Tensor> ModuleReference::draw(std::uint64_t seed) const {
  load();
  const auto arguments = verifier::arguments_of(task_);
  const auto& sizes = task_.cases.front().sizes;
  PackedTensors packed;
  bool any = false;  // most tasks draw all inputs here, and need no oracle for it
  for (const auto* tensor : arguments) {
    if (!tensor->state.empty()) continue;
    packed.add(byte_count(*tensor, sizes));
    any = any || tensor->input.draw == Draw::reference;
  }
  if (any) {
    packed.allocate(*oracle_->exchange);
    oracle_->exchange->settle(packed.bytes());
    result_or_throw(oracle_->process.draw(seed, packed.memory(), kOracleRunLimit), task_);
    result_or_throw(oracle_->process.draw_shapes(drawn_bytes(), kOracleRunLimit),
                    task_);  // frees the drawn values in the oracle
  }
  const bool to_cpu = !verifier::judged_on_device(task_);
  std::vector<at::Tensor> drawn(arguments.size());
  std::size_t input = 0, state = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& tensor = *arguments[i];
    if (!tensor.state.empty())
      drawn[i] = state_.at(state++);
    else if (const auto number = input++; tensor.input.draw == Draw::reference)
      drawn[i] = own_copy(packed.tensor(number, verifier::scalar_type(tensor.dtype), shape_of(tensor, sizes)),
                          to_cpu);
  }
  return drawn;
}

}  // namespace ridgeline::judge
