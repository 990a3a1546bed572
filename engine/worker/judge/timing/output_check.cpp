#include "engine/worker/judge/timing/output_check.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <variant>

#include "engine/verifier/on_device.hpp"
#include "engine/verifier/responses.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kMostTogether = 32;  // calls
constexpr std::size_t kBytesTogether = std::size_t{512} << 20;
// Room of an element. Honest kernels differ from the reference by rounding alone, far less than this; what
// passes with lower precision is for the full comparisons to find.
constexpr double kNearEnough = 0.01;
constexpr std::int64_t kPlaces = 64;  // checked elements of an output, if they are sampled

/// Returns one row of random places for each call, on the output's device.
at::Tensor random_places(std::size_t calls, const at::Tensor& output, Random& random) {
  const auto rows = static_cast<std::int64_t>(calls);
  auto places = at::empty({rows, kPlaces}, at::TensorOptions().dtype(at::kLong));
  auto* values = places.mutable_data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < places.numel(); ++i)
    values[i] = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(output.numel())));
  return places.to(output.device());
}

at::Tensor constant(bool value, std::int64_t rows, const at::Tensor& where) {
  return at::full({rows}, value, at::TensorOptions().dtype(at::kBool).device(where.device()));
}

/// Returns a bool for each row, on the tensors' device: nothing waits for the device until all are known.
at::Tensor rows_near(const at::Tensor& got, const at::Tensor& expected) {
  if (!got.is_floating_point()) return got.eq(expected).all(1);
  const auto wanted = expected.to(at::kDouble), size = wanted.abs();
  const auto room = size.add(size.mean(1, /*keepdim=*/true)).mul(kNearEnough);
  return got.to(at::kDouble).sub(wanted).abs().le(room).all(1);  // NaN compares false
}

/// Compares one row of any length. It goes in pieces, since float64 copies of a whole output may not fit
/// beside the buffers of a large case.
at::Tensor near(const at::Tensor& got, const at::Tensor& expected) {
  constexpr auto most = verifier::kPieceElements;
  if (got.numel() <= most || !got.is_floating_point())
    return rows_near(got.reshape({1, -1}), expected.reshape({1, -1}));
  const auto a = got.reshape(-1), b = expected.reshape(-1);
  const auto in_pieces = [&](auto&& visit) {
    for (std::int64_t begin = 0; begin < b.numel(); begin += most) {
      const auto length = std::min(most, b.numel() - begin);
      visit(a.narrow(0, begin, length).to(at::kDouble), b.narrow(0, begin, length).to(at::kDouble));
    }
  };
  auto mean = at::zeros({}, b.options().dtype(at::kDouble));
  in_pieces([&](const auto&, const auto& wanted) { mean.add_(wanted.abs().sum()); });
  mean.div_(b.numel());
  auto right = constant(true, 1, got);
  in_pieces([&](const auto& seen, const auto& wanted) {
    right.logical_and_(seen.sub(wanted).abs().le(wanted.abs().add(mean).mul(kNearEnough)).all());
  });
  return right;
}

bool leaves_a_choice(const Contract& contract) {
  return std::holds_alternative<Statistical>(contract) || std::holds_alternative<UpToSign>(contract);
}

/// One output of several calls, beside what the reference gives for it.
struct Column {
  std::vector<at::Tensor> got, expected;  // of each call: the checked elements

  /// Returns a bool for each call, on the outputs' device.
  at::Tensor near_of_each() const {
    const auto& first = got.front();
    std::vector<at::Tensor> flags;
    bool alike = true;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool comparable =
          got[i].sizes() == expected[i].sizes() && got[i].scalar_type() == expected[i].scalar_type();
      if (!comparable) return constant(false, static_cast<std::int64_t>(got.size()), first);
      alike = alike && got[i].numel() <= kPlaces && got[i].sizes() == first.sizes();
    }
    if (first.numel() == 0) return constant(true, static_cast<std::int64_t>(got.size()), first);
    const auto rows = static_cast<std::int64_t>(got.size());
    if (alike) return rows_near(at::stack(got).reshape({rows, -1}), at::stack(expected).reshape({rows, -1}));
    for (std::size_t i = 0; i < got.size(); ++i) flags.push_back(near(got[i], expected[i]));
    return at::cat(flags);
  }
};

/// Checks calls that are few enough to be checked together.
std::vector<bool> check_together(const PreparedTask& prepared, const PreparedCase& prepared_case,
                                 std::span<const TimedCall> calls, CheckedElements elements, Random& random) {
  const auto& outputs = calls.front().outputs;  // of the same capacity in all calls
  std::vector<at::Tensor> places;
  for (const auto& output : outputs) {
    const bool some = elements == CheckedElements::sampled && output.numel() > kPlaces;
    places.push_back(some ? random_places(calls.size(), output, random) : at::Tensor());
  }
  std::vector<Instance> instances;
  for (const auto& call : calls) instances.push_back(call.instance);
  auto inputs = prepared_case.timing_arena->inputs_of(instances);
  std::vector<Column> columns(outputs.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto expected = prepared.reference().run(inputs[i], prepared_case.definition());
    inputs[i].clear();  // so that the inputs of one call at a time are beside the others' outputs
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const auto& got = calls[i].outputs[o];
      const bool some = places[o].defined() && got.sizes() == expected[o].sizes();
      const auto row = some ? places[o][static_cast<std::int64_t>(i)] : at::Tensor();
      const auto checked = [&](const at::Tensor& t) { return some ? t.reshape(-1).index_select(0, row) : t; };
      columns[o].got.push_back(checked(got));
      columns[o].expected.push_back(checked(expected[o]));
    }
  }
  auto right = constant(true, static_cast<std::int64_t>(calls.size()), outputs.front());
  for (const auto& column : columns) right.logical_and_(column.near_of_each());
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
                                    std::span<const TimedCall> calls, CheckedElements elements,
                                    Random& random) {
  if (calls.empty() || leaves_a_choice(prepared.task().contract)) return std::vector<bool>(calls.size());
  const std::size_t together = calls_checked_together(prepared_case, calls.front());
  std::vector<bool> passed;
  for (std::size_t first = 0; first < calls.size(); first += together) {
    const auto some = calls.subspan(first, std::min(together, calls.size() - first));
    const auto right = check_together(prepared, prepared_case, some, elements, random);
    passed.insert(passed.end(), right.begin(), right.end());
  }
  return passed;
}

}  // namespace ridgeline::judge
