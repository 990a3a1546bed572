#include "engine/worker/judge/timing/output_check.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <variant>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/error_bounds.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/signs.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kMostTogether = 32;  // calls
constexpr std::size_t kBytesTogether = std::size_t{512} << 20;
// Outputs of at most so many elements are stacked, since launches then take longer than the copy.
constexpr std::int64_t kMostStacked = std::int64_t{1} << 20;

using Outputs = std::vector<at::Tensor>;

at::Tensor constant(bool value, std::size_t rows, const at::Tensor& where) {
  return at::full({static_cast<std::int64_t>(rows)}, value,
                  at::TensorOptions().dtype(at::kBool).device(where.device()));
}

/// One output of several calls, beside what the reference gives for it.
struct Column {
  Outputs got, own;  // of each call

  bool comparable() const {
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i].sizes() != own[i].sizes()) return false;
    return true;
  }
  bool stackable() const {
    return std::ranges::all_of(own, [&](const auto& each) {
      return each.numel() <= kMostStacked && each.sizes() == own.front().sizes();
    });
  }

  /// Returns a bool for each call, on the outputs' device: nothing waits for the device until all are known.
  at::Tensor within(const verifier::OutputBounds& bounds) const {
    if (!comparable()) return constant(false, got.size(), got.front());
    const auto rows = static_cast<std::int64_t>(got.size());
    if (rows > 1 && stackable())
      return verifier::rows_within(at::stack(got).reshape({rows, own.front().numel()}),
                                   at::stack(own).reshape({rows, own.front().numel()}), bounds);
    Outputs flags;
    for (std::size_t i = 0; i < got.size(); ++i)
      flags.push_back(verifier::rows_within(got[i].reshape({1, got[i].numel()}),
                                            own[i].reshape({1, own[i].numel()}), bounds));
    return at::cat(flags);
  }
};

/// Returns a call's outputs as they are compared: cut to the rows that the reference counted, since whoever
/// counted others has a wrong count; and turned where the contract leaves signs free. A bool is compared as a
/// byte, since a candidate may have left any byte there.
Outputs to_compare(const Task& task, const Outputs& got, Outputs& own) {
  const auto declared = verifier::outputs_of(task);
  Outputs compared;
  for (std::size_t o = 0; o < own.size(); ++o) {
    auto output = got[o];
    if (verifier::count_index(declared, o) >= 0 && output.size(0) >= own[o].size(0))
      output = output.narrow(0, 0, own[o].size(0));
    if (output.scalar_type() == at::kBool) {
      output = output.view(at::kByte);
      own[o] = own[o].view(at::kByte);
    }
    compared.push_back(output);
  }
  if (std::holds_alternative<UpToSign>(task.contract))
    compared = verifier::align_signs(task, compared, verifier::widen(own));
  return compared;
}

/// Checks calls that are few enough to be checked together.
std::vector<bool> check_together(const PreparedTask& prepared, const PreparedCase& prepared_case,
                                 std::span<const TimedCall> calls,
                                 const std::vector<verifier::OutputBounds>& bounds) {
  std::vector<Instance> instances;
  for (const auto& call : calls) instances.push_back(call.instance);
  auto inputs = prepared_case.timing_arena->inputs_of(instances);
  const auto& task = prepared.task();
  std::vector<Column> columns(bounds.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto own = verifier::expect_own(prepared.reference(), task, prepared_case.definition(), inputs[i]).own;
    inputs[i].clear();  // so that the inputs of one call at a time are beside the others' outputs
    const auto got = to_compare(task, calls[i].outputs, own);
    for (std::size_t o = 0; o < columns.size(); ++o) {
      columns[o].got.push_back(got[o]);
      columns[o].own.push_back(own[o]);
    }
  }
  auto right = constant(true, calls.size(), columns.front().got.front());
  for (std::size_t o = 0; o < columns.size(); ++o) right.logical_and_(columns[o].within(bounds[o]));
  const auto read = right.cpu();
  const auto* flags = static_cast<const bool*>(read.const_data_ptr());
  return std::vector<bool>(flags, flags + read.numel());
}

}  // namespace

std::size_t calls_checked_together(const PreparedCase& prepared_case, const TimedCall& call) {
  if (call.outputs.front().is_cpu()) return 1;  // a CPU has no round trip to save
  std::size_t bytes = 1;
  for (std::size_t a = 0; a < prepared_case.timing_arena->arguments(); ++a)
    bytes += prepared_case.timing_arena->bytes(a);
  return std::clamp<std::size_t>(kBytesTogether / bytes, 1, kMostTogether);
}

std::vector<bool> pass_output_check(const PreparedTask& prepared, const PreparedCase& prepared_case,
                                    std::span<const TimedCall> calls) {
  const auto& bounds = prepared_case.sets(InputSet::standard).bounds();
  if (calls.empty() || !bounds) return std::vector<bool>(calls.size());
  const std::size_t together = calls_checked_together(prepared_case, calls.front());
  std::vector<bool> passed;
  for (std::size_t first = 0; first < calls.size(); first += together) {
    const auto some = calls.subspan(first, std::min(together, calls.size() - first));
    const auto right = check_together(prepared, prepared_case, some, *bounds);
    passed.insert(passed.end(), right.begin(), right.end());
  }
  return passed;
}

}  // namespace ridgeline::judge
