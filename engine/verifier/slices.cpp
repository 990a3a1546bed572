#include "engine/verifier/slices.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/responses.hpp"

namespace ridgeline::verifier {
namespace {

// What roundings may leave of a sum, of which 16 bits keep less: beyond that, nothing is cut.
constexpr double kRounding = 0x1p-14, kCoarseRounding = 0x1p-6;
// Seeds the rows that are drawn anew: no secret, since nobody is judged on them.
constexpr std::uint64_t kOthers = 0x0735A1DE5;

/// The rows that stay while all others are drawn anew. The first holds edge values; the last is where a
/// computation over rows ends.
std::vector<std::int64_t> rows_that_stay(std::int64_t batch) {
  if (batch < 4) return {0};
  return {0, batch / 2, batch - 1};
}

std::int64_t elements_of_a_row(const Tensor& tensor, const Case& task_case, std::int64_t batch) {
  return element_count(tensor, task_case.sizes) / batch;
}

bool same_row(const at::Tensor& a, const at::Tensor& b, std::int64_t row) {
  const auto bytes = [&](const at::Tensor& t) {
    return t.select(0, row).contiguous().reshape(-1).view(at::kByte);
  };
  return at::equal(bytes(a), bytes(b));
}

/// Compares a piece of at most kPieceElements. `typical`: of each row, or one number for all elements.
bool piece_agrees(const at::Tensor& part, const at::Tensor& own, const at::Tensor& typical) {
  const auto whole = own.to(at::kDouble), seen = part.to(at::kDouble);
  const bool coarse = own.element_size() < 4;
  const auto room = at::maximum(seen.abs(), typical).mul_(coarse ? kCoarseRounding : kRounding);
  return seen.sub(whole)
      .abs_()
      .le(room)
      .logical_and_(seen.isfinite())
      .logical_or_(whole.eq(seen))
      .logical_or_(whole.isnan().logical_and_(seen.isnan()))
      .all()
      .item<bool>();
}

/// The root mean square of the finite numbers of each row of a matrix.
at::Tensor typical_of(const at::Tensor& rows) {
  const auto finite = at::where(rows.isfinite(), rows, 0.0).to(at::kDouble);
  return at::linalg_vector_norm(finite, 2, c10::IntArrayRef{1}, /*keepdim=*/true)
      .div_(std::sqrt(static_cast<double>(rows.size(1))));
}

bool row_agrees(const at::Tensor& part, const at::Tensor& own) {
  double squares = 0;
  const auto pieces = [&](auto&& work) {
    for (std::int64_t begin = 0; begin < part.numel(); begin += kPieceElements)
      if (!work(begin, std::min(kPieceElements, part.numel() - begin))) return false;
    return true;
  };
  pieces([&](std::int64_t begin, std::int64_t length) {
    const auto piece = part.narrow(0, begin, length);
    const double norm =
        at::linalg_vector_norm(at::where(piece.isfinite(), piece, 0.0).to(at::kDouble)).item<double>();
    squares += norm * norm;
    return true;
  });
  const auto typical = at::linalg_vector_norm(part.narrow(0, 0, 1).to(at::kDouble))
                           .fill_(std::sqrt(squares / static_cast<double>(part.numel())));
  return pieces([&](std::int64_t begin, std::int64_t length) {
    return piece_agrees(part.narrow(0, begin, length), own.narrow(0, begin, length), typical);
  });
}

}  // namespace

SlicePlan plan_slices(const Task& task, const Case& task_case, std::int64_t elements) {
  if (elements <= 0 || !std::holds_alternative<Elementwise>(task.contract) || !judged_on_device(task))
    return {};
  SlicePlan plan;
  std::int64_t longest = 1;
  const auto outputs = outputs_of(task);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto shape = shape_of(*outputs[i], task_case.sizes);
    if (shape.empty() || shape.front() < 2 || count_index(outputs, i) >= 0 || !is_floating(outputs[i]->dtype))
      return {};
    if (i > 0 && shape.front() != plan.all_rows) return {};
    plan.all_rows = shape.front();
    longest = std::max(longest, elements_of_a_row(*outputs[i], task_case, plan.all_rows));
  }
  if (outputs.empty()) return {};
  for (const auto* tensor : arguments_of(task)) {
    const auto shape = shape_of(*tensor, task_case.sizes);
    const bool cut = tensor->state.empty() && !shape.empty() && shape.front() == plan.all_rows;
    plan.cut_inputs.push_back(cut);
    if (cut) longest = std::max(longest, elements_of_a_row(*tensor, task_case, plan.all_rows));
  }
  const auto rows = std::max<std::int64_t>(1, elements / longest);
  if (std::ranges::find(plan.cut_inputs, true) == plan.cut_inputs.end() || rows >= plan.all_rows) return {};
  plan.slice_rows = rows;
  return plan;
}

bool rows_are_independent(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                          const std::vector<at::Tensor>& inputs, const SlicePlan& plan,
                          const std::vector<at::Tensor>& own) {
  const auto stay = rows_that_stay(plan.all_rows);
  auto others =
      moved_to_reference_device(reference, task, draw_inputs(task, task_case, set, kOthers, &reference));
  bool differs = false;
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!plan.cut_inputs[i]) {
      others[i] = inputs[i];
      continue;
    }
    // Inputs that are the same in each draw prove nothing.
    differs = differs || !same_row(others[i], inputs[i], plan.all_rows - 1);
    for (const auto row : stay) others[i].select(0, row).copy_(inputs[i].select(0, row));
  }
  if (!differs) return false;
  const auto outputs = expect_own(reference, task, task_case, others).own;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (const auto row : stay)
      if (outputs[i].sizes() != own[i].sizes() || !same_row(outputs[i], own[i], row)) return false;
  return true;
}

bool agree_up_to_rounding(const at::Tensor& part, const at::Tensor& own) {
  if (part.sizes() != own.sizes()) return false;
  if (part.numel() == 0) return true;
  const auto rows = part.size(0), row = part.numel() / rows;
  const auto a = part.reshape({rows, row}), b = own.reshape({rows, row});
  if (row > kPieceElements) {
    for (std::int64_t r = 0; r < rows; ++r)
      if (!row_agrees(a.select(0, r), b.select(0, r))) return false;
    return true;
  }
  const auto step = kPieceElements / row;
  for (std::int64_t begin = 0; begin < rows; begin += step) {
    const auto length = std::min(step, rows - begin);
    const auto piece = a.narrow(0, begin, length);
    if (!piece_agrees(piece, b.narrow(0, begin, length), typical_of(piece))) return false;
  }
  return true;
}

namespace {

/// Runs one slice after the other; outputs have the dtypes in which the reference returns them.
void each_slice(const Reference& reference, const Task& task, const Case& task_case,
                const std::vector<at::Tensor>& inputs, const SlicePlan& plan, double step, std::uint64_t seed,
                bool widened, const std::function<bool(std::int64_t, std::vector<at::Tensor>&)>& go_on) {
  const auto declared = outputs_of(task);
  for (std::int64_t begin = 0; begin < plan.all_rows; begin += plan.slice_rows) {
    const Rows rows{begin, std::min(plan.slice_rows, plan.all_rows - begin)};
    auto outputs = reference.run_rows(inputs, plan.cut_inputs, rows, task_case, step, seed, widened);
    for (std::size_t i = 0; i < declared.size(); ++i) {
      auto shape = shape_of(*declared[i], task_case.sizes);
      shape.front() = rows.count;
      if (i < outputs.size() && outputs[i].sizes() == c10::IntArrayRef(shape)) continue;
      throw BadInput(
          fmt::format("task '{}', case '{}': the reference's output '{}' has other rows than it was given",
                      task.name, task_case.name, declared[i]->name));
    }
    if (!go_on(begin, outputs)) return;
  }
}

}  // namespace

bool slices_agree(const Reference& reference, const Task& task, const Case& task_case,
                  const std::vector<at::Tensor>& inputs, const SlicePlan& plan,
                  const std::vector<at::Tensor>& own) {
  bool same = true;
  each_slice(reference, task, task_case, inputs, plan, 0, 0, /*widened=*/false,
             [&](std::int64_t begin, const std::vector<at::Tensor>& rows) {
               for (std::size_t i = 0; i < own.size() && same; ++i)
                 same = agree_up_to_rounding(rows[i], own[i].narrow(0, begin, rows[i].size(0)));
               return same;
             });
  return same;
}

void run_in_slices(const Reference& reference, const Task& task, const Case& task_case,
                   const std::vector<at::Tensor>& inputs, const SlicePlan& plan, double step,
                   std::uint64_t seed, const TakeSlice& take) {
  each_slice(reference, task, task_case, inputs, plan, step, seed, /*widened=*/true,
             [&](std::int64_t begin, std::vector<at::Tensor>& rows) {
               for (auto& each : rows) each = each.to(at::kDouble).contiguous();
               take(begin, rows);
               return true;
             });
}

}  // namespace ridgeline::verifier
