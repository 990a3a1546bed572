// Batches with sealed inputs: the order, and what one takes beside its calls.
#include <algorithm>
#include <array>
#include <new>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/core/one_line.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {
namespace {

using runner::Reply;

constexpr int kTrialWindows = 5;  // of each kind, of which the least counts
constexpr std::size_t kManyTrialCalls = 9;

std::string words_of(const RunnerAnswer& answer) {
  const auto* reply = std::get_if<Reply>(&answer);
  return reply ? in_one_line({reply->text.data(), reply->text_bytes}) : "its runner ended";
}

}  // namespace

SealedBatchAnswer RunnerProcess::call_sealed(std::span<const runner::SealedArgument> arguments,
                                             std::span<const std::uint64_t> keys, double limit) {
  KeyServer keys_given(*std::launder(reinterpret_cast<runner::SealedExchange*>(exchange_->data())), arguments,
                       keys);
  key_server_ = &keys_given;
  struct Forget {
    KeyServer*& server;
    ~Forget() { server = nullptr; }
  } forget{key_server_};  // also if the call throws
  auto batch = call(0, keys.size(), limit, runner::CallOrder::sealed);
  return {std::move(batch.answer), batch.times.wall, keys_given.finish()};
}

std::optional<double> RunnerProcess::trial_window(std::size_t count) {
  const std::vector<std::uint64_t> keys(count, 1);
  std::optional<double> least;
  for (int i = 0; i < kTrialWindows; ++i) {
    if (occupy_device_) occupy_device_();
    const auto batch = call_sealed({}, keys, runner_limits::start);
    if (!is_ok(batch.answer)) {
      why_not_sealed_ = words_of(batch.answer);
      return std::nullopt;
    }
    least = std::min(least.value_or(batch.wall), batch.wall);
  }
  return least;
}

void RunnerProcess::measure_sealed_costs() {
  if (sealing_->cubin.size() > runner::kMostCubin) throw Error("the kernels that seal inputs are too large");
  exchange_.emplace(sizeof(runner::SealedExchange));
  auto& exchange = *new (exchange_->data()) runner::SealedExchange;
  exchange.cubin_bytes = sealing_->cubin.size();
  std::ranges::copy(sealing_->cubin, exchange.cubin.begin());
  runner::Seal message;
  message.memory_bytes = sealing_->memory_bytes;
  message.evicted_bytes = sealing_->evicted_bytes;
  const std::array descriptors{exchange_->descriptor(), sealing_->memory};
  const auto answer = ask(&message, sizeof message, descriptors, runner_limits::start);
  if (!is_ok(answer)) {
    why_not_sealed_ = words_of(answer);
    return;
  }
  const auto one = trial_window(1), many = trial_window(kManyTrialCalls);
  if (!one || !many) return;
  SealedCosts costs;
  costs.per_call = std::max(0.0, (*many - *one) / (kManyTrialCalls - 1));
  costs.per_batch = std::max(0.0, *one - costs.per_call);
  sealed_costs_ = costs;
}

}  // namespace ridgeline::judge
